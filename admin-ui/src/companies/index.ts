import type { Company } from "./Company.ts"
import { CompanyList } from "./CompanyList.tsx"

export default {
  list: CompanyList,
  recordRepresentation: ({ name, email }: Company) => name || email || "",
}
