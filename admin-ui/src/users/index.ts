import { UserEdit } from "./UserEdit.tsx"
import { UserList } from "./UserList.tsx"

export default {
  list: UserList,
  edit: UserEdit,
  recordRepresentation: "email",
}
