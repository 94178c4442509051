import { Box } from "@mui/material"
import { lazy, Suspense } from "react"
import { Loading } from "react-admin"
import { Count } from "../common/Count.tsx"
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
    <RecordList sort={newestFirst} live>
      <RecordTable>
        <RecordTable.Col source="day" sortable>
          <Instant source="day" as="date" />
        </RecordTable.Col>
        <RecordTable.Col source="planned" align="right">
          <Count source="planned" />
        </RecordTable.Col>
        <RecordTable.Col source="done" align="right">
          <Count source="done" />
        </RecordTable.Col>
        <RecordTable.Col source="valid" align="right">
          <Count source="valid" />
        </RecordTable.Col>
        <RecordTable.Col source="invalid" align="right">
          <Count source="invalid" />
        </RecordTable.Col>
        <RecordTable.Col source="attention" align="right">
          <Count source="attention" />
        </RecordTable.Col>
        <RecordTable.Col source="notFound" align="right">
          <Count source="notFound" />
        </RecordTable.Col>
        <RecordTable.Col source="unresolved" align="right">
          <Count source="unresolved" />
        </RecordTable.Col>
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
