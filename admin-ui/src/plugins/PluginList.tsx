import { Box } from "@mui/material"
import { BooleanField, useRecordContext } from "react-admin"
import { Instant } from "../common/Instant.tsx"
import { Nothing } from "../common/Nothing.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { Word } from "../common/Word.tsx"
import { CheckButton, CheckResult } from "./PluginChecks.tsx"

type Plugin = {
  id: string
  kind: string
  name: string
  version: string | null
  configured: boolean
  chosen: boolean
  healthy: boolean | null
  lastError: string | null
  lastErrorAt: string | null
  pausedUntil: string | null
}

const byKind = { field: "kind", order: "ASC" } as const

export const PluginList = () => (
  <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
    <CheckButton />
    <RecordList sort={byKind} perPage={25} live>
      <RecordTable>
        <RecordTable.Col source="name">
          <NameAndVersion />
        </RecordTable.Col>
        <RecordTable.Col source="kind">
          <Word kind="pluginKind" source="kind" />
        </RecordTable.Col>
        <RecordTable.Col source="configured" field={BooleanField} />
        <RecordTable.Col source="chosen" field={BooleanField} />
        <RecordTable.Col source="healthy">
          <Health />
        </RecordTable.Col>
        <RecordTable.Col source="lastError">
          <LastError />
        </RecordTable.Col>
        <RecordTable.Col source="check">
          <CheckResult />
        </RecordTable.Col>
      </RecordTable>
    </RecordList>
  </Box>
)

function NameAndVersion() {
  const plugin = useRecordContext<Plugin>()
  return (
    <>
      <Box sx={{ fontWeight: 600 }}>{plugin?.name}</Box>
      <Box sx={{ color: "text.secondary", typography: "caption" }}>{plugin?.version}</Box>
    </>
  )
}

function Health() {
  const plugin = useRecordContext<Plugin>()
  if (!plugin?.configured || plugin.healthy === null) return <Nothing />
  if (plugin.pausedUntil) {
    return (
      <>
        <StatusBadge kind="plugin" value="paused" />
        <Box sx={{ color: "text.secondary", typography: "caption" }}>
          <Instant source="pausedUntil" />
        </Box>
      </>
    )
  }
  return <StatusBadge kind="plugin" value={plugin.healthy ? "healthy" : "failing"} />
}

function LastError() {
  const plugin = useRecordContext<Plugin>()
  if (!plugin?.lastError) return <Nothing />
  return (
    <>
      <Box sx={{ overflowWrap: "anywhere" }}>{plugin.lastError}</Box>
      <Box sx={{ color: "text.secondary", typography: "caption" }}>
        <Instant source="lastErrorAt" />
      </Box>
    </>
  )
}
