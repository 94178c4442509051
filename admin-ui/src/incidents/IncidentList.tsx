import DoneOutlined from "@mui/icons-material/DoneOutlined"
import { Box } from "@mui/material"
import { SelectInput, useRecordContext } from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { Instant } from "../common/Instant.tsx"
import { Localized, type LocalizedText } from "../common/Localized.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { RowActions } from "../common/RowActions.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { Word } from "../common/Word.tsx"

export type Incident = {
  id: string
  kind: string
  key: string
  detail: LocalizedText
  openedAt: string
  closedAt: string | null
  mailedAt: string | null
}

const filters = [
  <SelectInput
    key="open"
    source="open"
    alwaysOn
    choices={[
      { id: true, name: "values.incident.open" },
      { id: false, name: "values.incident.closed" },
    ]}
  />,
]
const newestFirst = { field: "openedAt", order: "DESC" } as const

export const IncidentList = () => (
  <RecordList filters={filters} sort={newestFirst} live>
    <RecordTable>
      <RecordTable.Col source="kind">
        <KindAndKey />
      </RecordTable.Col>
      <RecordTable.Col source="detail">
        <Localized source="detail" />
      </RecordTable.Col>
      <RecordTable.Col source="closedAt" sortable>
        <State />
      </RecordTable.Col>
      <RecordTable.Col source="openedAt" sortable>
        <Instant source="openedAt" />
      </RecordTable.Col>
      <RecordTable.Col source="mailedAt">
        <Instant source="mailedAt" />
      </RecordTable.Col>
      <RecordTable.Col label="console.actions" align="right">
        <CloseIncident />
      </RecordTable.Col>
    </RecordTable>
  </RecordList>
)

function KindAndKey() {
  const incident = useRecordContext<Incident>()
  return (
    <>
      <Box sx={{ fontWeight: 600 }}>
        <Word kind="incidentKind" source="kind" />
      </Box>
      <Box sx={{ color: "text.secondary", typography: "caption", overflowWrap: "anywhere" }}>
        {incident?.key}
      </Box>
    </>
  )
}

function State() {
  const incident = useRecordContext<Incident>()
  if (!incident?.closedAt) return <StatusBadge kind="incident" value="open" />
  return (
    <>
      <StatusBadge kind="incident" value="closed" />
      <Box sx={{ color: "text.secondary", typography: "caption" }}>
        <Instant source="closedAt" />
      </Box>
    </>
  )
}

function CloseIncident() {
  const incident = useRecordContext<Incident>()
  if (!incident || incident.closedAt) return null
  return (
    <RowActions>
      <ActButton act="close" icon={<DoneOutlined fontSize="small" />} iconOnly />
    </RowActions>
  )
}
