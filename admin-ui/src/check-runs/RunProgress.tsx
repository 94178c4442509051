import { Box, LinearProgress, Typography } from "@mui/material"
import { useTranslate } from "react-admin"
import { useFormat } from "../common/format.ts"
import { Badge } from "../common/StatusBadge.tsx"
import type { CheckRun } from "./CheckRun.ts"

/** How far the run is, and when it will end. */
export function RunProgress({ run }: { run: CheckRun }) {
  const translate = useTranslate()
  const format = useFormat()
  const percent = run.planned === 0 ? 100 : Math.floor((100 * run.done) / run.planned)
  const label = translate("console.check.progress", {
    done: format.number(run.done),
    planned: format.number(run.planned),
  })
  return (
    <Box sx={{ mb: 2.5 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "center", mb: 1 }}>
        <RunState run={run} />
        <Typography sx={{ fontWeight: 600 }}>{label}</Typography>
        <Typography variant="body2" sx={{ color: "text.secondary" }} role="status">
          <RunEnd run={run} />
        </Typography>
      </Box>
      <LinearProgress
        variant="determinate"
        value={percent}
        aria-label={label}
        sx={{ height: 8, borderRadius: 4 }}
      />
    </Box>
  )
}

function RunState({ run }: { run: CheckRun }) {
  const translate = useTranslate()
  if (run.paused) return <Badge tone="caution">{translate("console.check.paused")}</Badge>
  if (run.finishedAt) return <Badge tone="valid">{translate("console.check.finished")}</Badge>
  if (run.stalled) return <Badge tone="withheld">{translate("console.check.stalled")}</Badge>
  if (run.startedAt) return <Badge tone="neutral">{translate("console.check.running")}</Badge>
  return <Badge tone="neutral">{translate("console.check.waiting")}</Badge>
}

function RunEnd({ run }: { run: CheckRun }) {
  const translate = useTranslate()
  const format = useFormat()
  if (run.finishedAt) {
    return <>{translate("console.check.finishedAt", { time: format.time(run.finishedAt) })}</>
  }
  if (run.expectedEndAt && !run.paused) {
    return <>{translate("console.check.expectedAt", { time: format.time(run.expectedEndAt) })}</>
  }
  return null
}
