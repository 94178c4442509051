import { Box, Button, type Theme, Typography, useMediaQuery, useTheme } from "@mui/material"
import { BarChart } from "@mui/x-charts/BarChart"
import { LineChart, lineClasses } from "@mui/x-charts/LineChart"
import { useState } from "react"
import { useTranslate } from "react-admin"
import { useFormat } from "../common/format.ts"
import { Panel } from "../common/Panel.tsx"
import type { Tone } from "../theme.ts"
import { ChartTable } from "./ChartTable.tsx"

export type Series = { key: string; label: string; tone: Tone | "primary" }

export type ChartProps = {
  title: string
  rows: object[]
  labelKey: string
  labelFormat: "shortDay" | "month"
  valueFormat?: "number" | "money"
  series: Series[]
}

const HEIGHT = 260

/** A chart, and the same figures as a table. */
export function ChartPanel({
  kind = "bar",
  stacked = false,
  ...props
}: ChartProps & {
  kind?: "bar" | "line"
  stacked?: boolean
}) {
  const [isTable, setTable] = useState(false)
  const translate = useTranslate()
  const toggle = (
    <Button size="small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
      {translate(isTable ? "console.charts.asChart" : "console.charts.asTable")}
    </Button>
  )
  return (
    <Panel title={props.title} actions={toggle}>
      {props.rows.length === 0 && <Typography>{translate("console.charts.empty")}</Typography>}
      {props.rows.length > 0 &&
        (isTable ? <ChartTable {...props} /> : <Chart kind={kind} stacked={stacked} {...props} />)}
    </Panel>
  )
}

type DrawnChartProps = ChartProps & { kind: "bar" | "line"; stacked: boolean }

function Chart({ kind, stacked, title, rows, series, ...axis }: DrawnChartProps) {
  const { palette } = useTheme()
  const isSmall = useMediaQuery<Theme>((theme) => theme.breakpoints.down("md"))
  const translate = useTranslate()
  const format = useFormat()
  // "auto" leaves out the labels that would overlap, which spaces the others unevenly.
  const labelStep = Math.ceil(rows.length / (isSmall ? 4 : 8))
  const formatValue = format[axis.valueFormat ?? "number"]
  const formatTick = axis.valueFormat === "money" ? format.wholeMoney : format.number
  const dataset = rows as Record<string, string | number>[]
  const common = {
    dataset,
    height: HEIGHT,
    margin: { left: 8, right: 20, top: 8, bottom: 0 },
    grid: { horizontal: true },
    skipAnimation: true,
    yAxis: [
      {
        width: 64,
        tickMinStep: 1,
        valueFormatter: (value: number) => formatTick(value),
        disableLine: true,
        disableTicks: true,
      },
    ],
    slotProps: { legend: { sx: { typography: "caption", gap: 1.5 } } },
    hideLegend: series.length === 1,
  }
  const xAxis = {
    dataKey: axis.labelKey,
    valueFormatter: (value: string) => format[axis.labelFormat](value),
    tickLabelInterval: (_: unknown, index: number) => index % labelStep === 0,
    disableTicks: true,
  }
  const lines = series.map(({ key, label, tone }) => ({
    dataKey: key,
    label: translate(label),
    color: tone === "primary" ? palette.primary.main : palette.tones[tone].solid,
    stack: stacked ? "all" : undefined,
    valueFormatter: (value: number | null) => (value === null ? "–" : formatValue(value)),
  }))

  return (
    <Box role="img" aria-label={title}>
      {kind === "bar" ? (
        <BarChart {...common} xAxis={[{ ...xAxis, scaleType: "band" }]} series={lines} />
      ) : (
        <LineChart
          {...common}
          xAxis={[{ ...xAxis, scaleType: "point" }]}
          series={lines.map((line) => ({ ...line, showMark: false, area: true }))}
          sx={{ [`& .${lineClasses.area}`]: { fillOpacity: 0.15 } }}
        />
      )}
    </Box>
  )
}
