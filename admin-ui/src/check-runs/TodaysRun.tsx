import PauseOutlined from "@mui/icons-material/PauseOutlined"
import PlayArrowOutlined from "@mui/icons-material/PlayArrowOutlined"
import ReplayOutlined from "@mui/icons-material/ReplayOutlined"
import { Skeleton, Typography } from "@mui/material"
import { RecordContextProvider, ResourceContextProvider, useTranslate } from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { ErrorAlert } from "../common/LoadError.tsx"
import { Panel } from "../common/Panel.tsx"
import type { CheckRun } from "./CheckRun.ts"
import { MassChangeReview } from "./MassChangeReview.tsx"
import { RunFigures } from "./RunFigures.tsx"
import { RunProgress } from "./RunProgress.tsx"
import { useRunTitle, useTodaysRun } from "./useTodaysRun.ts"

/** Today's run with its acts; refetched every few seconds. */
export function TodaysRun() {
  const translate = useTranslate()
  const { run, error, isPending, refetch } = useTodaysRun()
  const title = useRunTitle(run)

  if (isPending) return <Skeleton variant="rounded" height={240} aria-busy="true" />
  if (error && !run) return <ErrorAlert error={error} onRetry={() => refetch()} />
  if (!run) {
    return (
      <Panel title={title}>
        <Typography>{translate("console.check.none")}</Typography>
      </Panel>
    )
  }
  return (
    <ResourceContextProvider value="check-runs">
      {error && <ErrorAlert error={error} onRetry={() => refetch()} />}
      <Panel title={title} actions={<RunActions run={run} />}>
        <RunProgress run={run} />
        <RunFigures run={run} />
      </Panel>
      {run.reviewState === "pending" && <MassChangeReview run={run} />}
    </ResourceContextProvider>
  )
}

function RunActions({ run }: { run: CheckRun }) {
  return (
    <>
      <RecordContextProvider value={undefined}>
        {run.paused ? (
          <ActButton act="resume" icon={<PlayArrowOutlined />} variant="contained" />
        ) : (
          <ActButton act="pause" icon={<PauseOutlined />} />
        )}
      </RecordContextProvider>
      <RecordContextProvider value={run}>
        <ActButton act="retry" icon={<ReplayOutlined />} disabled={run.unresolved === 0} />
      </RecordContextProvider>
    </>
  )
}
