import OpenInNew from "@mui/icons-material/OpenInNew"
import { Box } from "@mui/material"
import { useState } from "react"
import { SelectInput, useRecordContext, useTranslate } from "react-admin"
import { choices } from "../common/choices.ts"
import { Instant } from "../common/Instant.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { RowButton } from "../common/RowButton.tsx"
import { SearchBox } from "../common/SearchBox.tsx"
import type { Company } from "./Company.ts"
import { CompanyDialog } from "./CompanyDialog.tsx"
import { CompanyStatus, Drivers } from "./CompanyFacts.tsx"

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

export function CompanyList() {
  const [opened, setOpened] = useState<Company>()
  const open = (_: unknown, __: unknown, company: Company): false => {
    setOpened(company)
    return false
  }
  return (
    <RecordList filters={filters} sort={newestFirst}>
      <RecordTable rowClick={open} hover>
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
          <OpenButton onOpen={setOpened} />
        </RecordTable.Col>
      </RecordTable>
      {opened && <CompanyDialog company={opened} onClose={() => setOpened(undefined)} />}
    </RecordList>
  )
}

/** For the keyboard, and on cards. */
function OpenButton({ onOpen }: { onOpen: (company: Company) => void }) {
  const company = useRecordContext<Company>()
  const translate = useTranslate()
  if (!company) return null
  return (
    <RowButton
      label={translate("resources.companies.open")}
      name={company.name || company.email || ""}
      icon={<OpenInNew fontSize="small" />}
      onClick={() => onOpen(company)}
    />
  )
}

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
