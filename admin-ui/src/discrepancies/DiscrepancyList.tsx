import { Box } from "@mui/material"
import { SelectInput, useRecordContext } from "react-admin"
import { Instant } from "../common/Instant.tsx"
import { Localized } from "../common/Localized.tsx"
import { Money } from "../common/Money.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { SearchBox } from "../common/SearchBox.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { Word } from "../common/Word.tsx"
import { ReferenceAndProvider } from "../payments/ReferenceAndProvider.tsx"
import type { Discrepancy } from "./Discrepancy.ts"
import { DiscrepancyActions } from "./DiscrepancyActions.tsx"

const filters = [
  <SearchBox key="q" source="q" alwaysOn label="resources.discrepancies.search" />,
  <SelectInput
    key="open"
    source="open"
    alwaysOn
    choices={[
      { id: true, name: "values.discrepancy.open" },
      { id: false, name: "values.discrepancy.resolved" },
    ]}
  />,
]
const openOnes = { open: true }
const newestFirst = { field: "detectedAt", order: "DESC" } as const

export const DiscrepancyList = () => (
  <RecordList filters={filters} filterDefaultValues={openOnes} sort={newestFirst} live>
    <RecordTable>
      <RecordTable.Col source="kind">
        <KindAndDetail />
      </RecordTable.Col>
      <RecordTable.Col source="amountGrosze" sortable align="right">
        <Money source="amountGrosze" />
      </RecordTable.Col>
      <RecordTable.Col source="companyName" />
      <RecordTable.Col source="reference">
        <ReferenceAndProvider />
      </RecordTable.Col>
      <RecordTable.Col source="detectedAt" sortable>
        <Instant source="detectedAt" />
      </RecordTable.Col>
      <RecordTable.Col source="resolvedAt">
        <Resolution />
      </RecordTable.Col>
      <RecordTable.Col label="console.actions" align="right">
        <DiscrepancyActions />
      </RecordTable.Col>
    </RecordTable>
  </RecordList>
)

function KindAndDetail() {
  return (
    <>
      <Box sx={{ fontWeight: 600 }}>
        <Word kind="discrepancyKind" source="kind" />
      </Box>
      <Box sx={{ color: "text.secondary", typography: "caption" }}>
        <Localized source="detail" />
      </Box>
    </>
  )
}

function Resolution() {
  const discrepancy = useRecordContext<Discrepancy>()
  if (!discrepancy?.resolvedAt) return <StatusBadge kind="discrepancy" value="open" />
  return (
    <>
      <Instant source="resolvedAt" />
      <Box sx={{ color: "text.secondary", typography: "caption", overflowWrap: "anywhere" }}>
        {discrepancy.resolutionNote}
      </Box>
    </>
  )
}
