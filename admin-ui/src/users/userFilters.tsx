import { SelectInput } from "react-admin"
import { choices } from "../common/choices.ts"
import { SearchBox } from "../common/SearchBox.tsx"

export const userFilters = [
  <SearchBox key="q" source="q" alwaysOn label="resources.users.search" />,
  <SelectInput
    key="status"
    source="status"
    alwaysOn
    choices={choices("subscription", ["active", "inactive"])}
  />,
]
