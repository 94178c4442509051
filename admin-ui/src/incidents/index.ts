import { IncidentList } from "./IncidentList.tsx"

export default { list: IncidentList, recordRepresentation: "kind" }
