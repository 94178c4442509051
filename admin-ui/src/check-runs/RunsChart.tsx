import { useMemo } from "react"
import { useGetList, useTranslate } from "react-admin"
import { ChartPanel } from "../charts/ChartPanel.tsx"
import { outcomeSeries } from "../charts/outcomeSeries.ts"
import { ErrorAlert } from "../common/LoadError.tsx"
import type { CheckRun } from "./CheckRun.ts"

const DAYS = 90
const lastDays = {
  pagination: { page: 1, perPage: DAYS },
  sort: { field: "day", order: "DESC" },
} as const

/** The outcomes of the runs of 90 days. */
export default function RunsChart() {
  const translate = useTranslate()
  const { data, error, refetch } = useGetList<CheckRun>("check-runs", lastDays)
  const rows = useMemo(() => data?.toReversed() ?? [], [data])
  if (error) return <ErrorAlert error={error} onRetry={() => refetch()} />
  return (
    <ChartPanel
      title={translate("console.check.chart")}
      rows={rows}
      labelKey="day"
      labelFormat="shortDay"
      series={outcomeSeries}
      stacked
    />
  )
}
