import { SearchInput, SelectInput } from "react-admin"
import { choices } from "../common/choices.ts"

export const userFilters = [
  <SearchInput key="q" source="q" alwaysOn placeholder="resources.users.search" />,
  <SelectInput
    key="status"
    source="status"
    alwaysOn
    choices={choices("subscription", ["active", "inactive"])}
  />,
]
