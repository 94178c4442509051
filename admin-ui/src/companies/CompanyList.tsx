import { Box } from "@mui/material"
import { SelectInput, useRecordContext } from "react-admin"
import { Count } from "../common/Count.tsx"
import { choices } from "../common/choices.ts"
import { Instant } from "../common/Instant.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { SearchBox } from "../common/SearchBox.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import type { Company } from "./Company.ts"
import { CompanyActions } from "./CompanyActions.tsx"

const filters = [
  <SearchBox key="q" source="q" alwaysOn label="resources.companies.search" />,
  <SelectInput
    key="status"
    source="status"
    alwaysOn
    choices={choices("subscription", ["active", "expired", "cancelled", "inactive", "none"])}
  />,
]
const newestFirst = { field: "createdAt", order: "DESC" } as const

export const CompanyList = () => (
  <RecordList filters={filters} sort={newestFirst}>
    <RecordTable>
      <RecordTable.Col source="name" sortable sx={{ minWidth: 220 }}>
        <NameAndAddress />
      </RecordTable.Col>
      <RecordTable.Col source="taxId" />
      <RecordTable.Col source="createdAt" sortable>
        <Instant source="createdAt" as="date" />
      </RecordTable.Col>
      <RecordTable.Col source="status">
        <CompanyStatus />
      </RecordTable.Col>
      <RecordTable.Col source="endDate" sortable>
        <Instant source="endDate" as="date" />
      </RecordTable.Col>
      <RecordTable.Col source="driversCount" sortable align="right">
        <Drivers />
      </RecordTable.Col>
      <RecordTable.Col label="console.actions" align="right">
        <CompanyActions />
      </RecordTable.Col>
    </RecordTable>
  </RecordList>
)

/** Before its first order a company has no name. */
function NameAndAddress() {
  const company = useRecordContext<Company>()
  return (
    <>
      <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
        {company?.name || company?.email}
      </Box>
      {company?.name && (
        <Box sx={{ color: "text.secondary", typography: "caption", overflowWrap: "anywhere" }}>
          {company.email}
        </Box>
      )}
    </>
  )
}

function CompanyStatus() {
  const company = useRecordContext<Company>()
  return company?.suspended ? (
    <StatusBadge kind="company" value="suspended" />
  ) : (
    <StatusBadge kind="subscription" />
  )
}

function Drivers() {
  return (
    <>
      <Count source="driversCount" /> / <Count source="driverLimit" />
    </>
  )
}
