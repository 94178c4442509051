import { ActionList } from "./ActionList.tsx"

export default { list: ActionList, recordRepresentation: "sequence" }
