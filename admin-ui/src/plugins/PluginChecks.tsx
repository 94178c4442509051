import { Alert, Button } from "@mui/material"
import { useQuery } from "@tanstack/react-query"
import { useDataProvider, useRecordContext, useTranslate } from "react-admin"
import { Nothing } from "../common/Nothing.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import type { ConsoleDataProvider } from "../dataProvider.ts"

type PluginCheck = { id: string; passed: boolean | null; text: string }

/** The results of the last check. Plugins are asked only when an operator starts a check. */
function usePluginChecks() {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  return useQuery({
    queryKey: ["read", "plugins/checks"],
    queryFn: ({ signal }) => dataProvider.read<PluginCheck[]>("plugins/checks", signal),
    enabled: false,
  })
}

/** Asks the providers whether they would serve us. */
export function CheckButton() {
  const translate = useTranslate()
  const { refetch, isFetching, error } = usePluginChecks()
  return (
    <>
      <Button
        variant="outlined"
        sx={{ justifySelf: "start" }}
        disabled={isFetching}
        onClick={() => refetch()}
      >
        {translate(isFetching ? "console.pluginChecks.running" : "console.pluginChecks.run")}
      </Button>
      {error && <Alert severity="error">{translate("console.pluginChecks.failed")}</Alert>}
    </>
  )
}

/** The result of the check of this row's plugin. */
export function CheckResult() {
  const plugin = useRecordContext<{ id: string }>()
  const { data } = usePluginChecks()
  const check = data?.find(({ id }) => id === plugin?.id)
  if (!check || check.passed === null) return <Nothing />
  return (
    <>
      <StatusBadge kind="plugin" value={check.passed ? "healthy" : "failing"} /> {check.text}
    </>
  )
}
