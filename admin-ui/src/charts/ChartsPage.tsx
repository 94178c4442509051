import { Box } from "@mui/material"
import { Title, useTranslate } from "react-admin"
import { Loaded } from "../common/Loaded.tsx"
import { useRead } from "../common/useRead.ts"
import { ChartPanel } from "./ChartPanel.tsx"
import { outcomeSeries } from "./outcomeSeries.ts"

type Charts = {
  signUps: { day: string; count: number }[]
  active: { day: string; count: number }[]
  revenue: { month: string; grosze: number }[]
  churn: { month: string; ended: number; started: number }[]
  outcomes: { day: string }[]
}

export default function ChartsPage() {
  const translate = useTranslate()
  const charts = useRead<Charts>("charts")
  const text = (key: string) => translate(`console.charts.${key}`)

  return (
    <>
      <Title title="console.charts.title" />
      <Loaded query={charts} height={600}>
        {({ signUps, active, revenue, churn, outcomes }) => (
          <Box
            sx={{
              display: "grid",
              gap: 2.5,
              gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
            }}
          >
            <ChartPanel
              title={text("signUps")}
              rows={signUps}
              labelKey="day"
              labelFormat="shortDay"
              series={[{ key: "count", label: "console.charts.signUps", tone: "primary" }]}
            />
            <ChartPanel
              title={text("active")}
              kind="line"
              rows={active}
              labelKey="day"
              labelFormat="shortDay"
              series={[{ key: "count", label: "console.charts.active", tone: "primary" }]}
            />
            <ChartPanel
              title={text("revenue")}
              rows={revenue}
              labelKey="month"
              labelFormat="month"
              valueFormat="money"
              series={[{ key: "grosze", label: "console.charts.revenue", tone: "primary" }]}
            />
            <ChartPanel
              title={text("churn")}
              rows={churn}
              labelKey="month"
              labelFormat="month"
              series={[
                { key: "started", label: "console.charts.started", tone: "valid" },
                { key: "ended", label: "console.charts.ended", tone: "withheld" },
              ]}
            />
            <Box sx={{ gridColumn: "1 / -1", minWidth: 0 }}>
              <ChartPanel
                title={text("outcomes")}
                rows={outcomes}
                labelKey="day"
                labelFormat="shortDay"
                series={outcomeSeries}
                stacked
              />
            </Box>
          </Box>
        )}
      </Loaded>
    </>
  )
}
