import { Box } from "@mui/material"
import { SelectInput, useRecordContext, useTranslate } from "react-admin"
import { choices } from "../common/choices.ts"
import { Details } from "../common/Details.tsx"
import { Instant } from "../common/Instant.tsx"
import { Nothing } from "../common/Nothing.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { SearchBox } from "../common/SearchBox.tsx"
import { Word } from "../common/Word.tsx"
import { polish } from "../i18n/pl/index.ts"
import { ChainVerification } from "./ChainVerification.tsx"

const filters = [
  <SearchBox key="q" source="q" alwaysOn label="resources.actions.search" />,
  <SelectInput
    key="actionType"
    source="actionType"
    alwaysOn
    choices={choices("action", Object.keys(polish.values.action))}
  />,
]
const newestFirst = { field: "sequence", order: "DESC" } as const

/** The actions of operators. Entries cannot be changed. */
export const ActionList = () => (
  <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
    <ChainVerification />
    <RecordList filters={filters} sort={newestFirst} perPage={25}>
      <RecordTable>
        <RecordTable.Col source="sequence" align="right" sortable />
        <RecordTable.Col source="createdAt">
          <Instant source="createdAt" />
        </RecordTable.Col>
        <RecordTable.Col source="adminEmail">
          <Operator />
        </RecordTable.Col>
        <RecordTable.Col source="actionType">
          <Word kind="action" source="actionType" />
        </RecordTable.Col>
        <RecordTable.Col source="targetEmail">
          <Target />
        </RecordTable.Col>
        <RecordTable.Col source="reason" />
        <RecordTable.Col source="details">
          <Details />
        </RecordTable.Col>
      </RecordTable>
    </RecordList>
  </Box>
)

function Operator() {
  const action = useRecordContext()
  const translate = useTranslate()
  if (!action?.adminEmail && !action?.command) return <Nothing />
  return (
    <Box sx={{ overflowWrap: "anywhere" }}>
      {action.adminEmail ?? translate("resources.actions.systemUser")}
      <Box sx={{ color: "text.secondary", typography: "caption" }}>{action.command}</Box>
    </Box>
  )
}

function Target() {
  const action = useRecordContext()
  if (!action?.targetEmail && !action?.companyName) return <Nothing />
  return (
    <Box sx={{ overflowWrap: "anywhere" }}>
      {action.targetEmail}
      <Box sx={{ color: "text.secondary", typography: "caption" }}>{action.companyName}</Box>
    </Box>
  )
}
