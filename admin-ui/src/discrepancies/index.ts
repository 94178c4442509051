import { DiscrepancyList } from "./DiscrepancyList.tsx"

export default { list: DiscrepancyList, recordRepresentation: "reference" }
