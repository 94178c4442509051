import { Box } from "@mui/material"
import { SelectInput, useRecordContext } from "react-admin"
import { Instant } from "../common/Instant.tsx"
import { Money } from "../common/Money.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { Word } from "../common/Word.tsx"
import type { Discrepancy } from "./Discrepancy.ts"
import { DiscrepancyActions } from "./DiscrepancyActions.tsx"

const filters = [
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
  <RecordList filters={filters} filterDefaultValues={openOnes} sort={newestFirst}>
    <RecordTable>
      <RecordTable.Col source="kind">
        <KindAndSummary />
      </RecordTable.Col>
      <RecordTable.Col source="amountGrosze" align="right">
        <Money source="amountGrosze" />
      </RecordTable.Col>
      <RecordTable.Col source="companyName" />
      <RecordTable.Col source="reference">
        <ProviderAndReference />
      </RecordTable.Col>
      <RecordTable.Col source="detectedAt" disableSort={false}>
        <Instant source="detectedAt" />
      </RecordTable.Col>
      <RecordTable.Col source="resolvedAt">
        <Resolution />
      </RecordTable.Col>
      <RecordTable.Col label="console.actions">
        <DiscrepancyActions />
      </RecordTable.Col>
    </RecordTable>
  </RecordList>
)

function KindAndSummary() {
  const discrepancy = useRecordContext<Discrepancy>()
  return (
    <>
      <Box sx={{ fontWeight: 600 }}>
        <Word kind="discrepancyKind" source="kind" />
      </Box>
      <Box sx={{ color: "text.secondary", typography: "caption" }}>{discrepancy?.summary}</Box>
    </>
  )
}

function ProviderAndReference() {
  const discrepancy = useRecordContext<Discrepancy>()
  return (
    <>
      <Box sx={{ overflowWrap: "break-word" }}>{discrepancy?.reference}</Box>
      <Box sx={{ color: "text.secondary", typography: "caption" }}>{discrepancy?.provider}</Box>
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
