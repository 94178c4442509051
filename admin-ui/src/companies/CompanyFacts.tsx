import { useRecordContext } from "react-admin"
import { Count } from "../common/Count.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import type { Company } from "./Company.ts"

export function CompanyStatus() {
  const company = useRecordContext<Company>()
  return company?.suspended ? (
    <StatusBadge kind="company" value="suspended" />
  ) : (
    <StatusBadge kind="subscription" />
  )
}

export function Drivers() {
  return (
    <>
      <Count source="driversCount" /> / <Count source="driverLimit" />
    </>
  )
}
