import { CompanyList } from "./CompanyList.tsx"

export default {
  list: CompanyList,
  recordRepresentation: "name",
}
