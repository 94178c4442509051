import { CheckRunList } from "./CheckRunList.tsx"

export default {
  list: CheckRunList,
  recordRepresentation: "day",
}
