import { RecordList, type RecordListProps } from "../common/RecordList.tsx"
import { UserTable } from "./UserTable.tsx"
import { userFilters } from "./userFilters.tsx"

const newestFirst = { field: "createdAt", order: "DESC" } as const

export const UserList = (props: Partial<RecordListProps>) => (
  <RecordList filters={userFilters} sort={newestFirst} {...props}>
    <UserTable />
  </RecordList>
)
