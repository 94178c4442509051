import { Box } from "@mui/material"
import { lazy, Suspense } from "react"
import { Loading } from "react-admin"
import { Instant } from "../common/Instant.tsx"
import { RecordList } from "../common/RecordList.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import { TodaysRun } from "./TodaysRun.tsx"

const RunsChart = lazy(() => import("./RunsChart.tsx"))
const newestFirst = { field: "day", order: "DESC" } as const

/** Today's check as it goes on, and the runs of 90 days as a chart and a table. */
export const CheckRunList = () => (
  <Box sx={{ display: "grid", gap: 2.5, gridTemplateColumns: "minmax(0, 1fr)" }}>
    <TodaysRun />
    <Suspense fallback={<Loading />}>
      <RunsChart />
    </Suspense>
    <RecordList sort={newestFirst}>
      <RecordTable>
        <RecordTable.Col source="day">
          <Instant source="day" as="date" />
        </RecordTable.Col>
        <RecordTable.Col source="planned" align="right" />
        <RecordTable.Col source="done" align="right" />
        <RecordTable.Col source="valid" align="right" />
        <RecordTable.Col source="invalid" align="right" />
        <RecordTable.Col source="attention" align="right" />
        <RecordTable.Col source="notFound" align="right" />
        <RecordTable.Col source="unresolved" align="right" />
        <RecordTable.Col source="finishedAt">
          <Instant source="finishedAt" />
        </RecordTable.Col>
        <RecordTable.Col source="reviewState">
          <StatusBadge kind="review" source="reviewState" />
        </RecordTable.Col>
      </RecordTable>
    </RecordList>
  </Box>
)
