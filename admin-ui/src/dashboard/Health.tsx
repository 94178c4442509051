import { Box, Card, Typography } from "@mui/material"
import type { ReactNode } from "react"
import { useGetList, useTranslate } from "react-admin"
import { Link } from "react-router"
import { useRunTitle, useTodaysRun } from "../check-runs/useTodaysRun.ts"
import { useFormat } from "../common/format.ts"
import { polling } from "../common/polling.ts"
import { Badge } from "../common/StatusBadge.tsx"
import { useRead } from "../common/useRead.ts"
import type { Summary } from "../deliveries/DeliverySummary.tsx"
import type { Tone } from "../theme.ts"

const onlyTheTotal = { page: 1, perPage: 1 }
const MAX_UNRESOLVED = 0.01

/** Whether today's check, the messages and the payments are healthy, at a glance. */
export const Health = () => (
  <Box
    sx={{
      display: "grid",
      gap: 2,
      gridTemplateColumns: {
        xs: "minmax(0, 1fr)",
        sm: "repeat(2, minmax(0, 1fr))",
        md: "repeat(4, minmax(0, 1fr))",
      },
    }}
  >
    <CheckHealth />
    <DeliveryHealth />
    <PaymentHealth />
    <IncidentHealth />
  </Box>
)

type HealthCardProps = {
  to: string
  title: string
  tone: Tone
  state: string
  children?: ReactNode
}

function HealthCard({ to, title, tone, state, children }: HealthCardProps) {
  return (
    <Card
      component={Link}
      to={`/admin/${to}`}
      sx={{
        display: "block",
        px: 2.5,
        py: 1.75,
        color: "inherit",
        textDecoration: "none",
        "&:hover": { borderColor: (theme) => theme.palette.tones.neutral.solid },
        "&:focus-visible": { outline: 3, outlineColor: "primary.main", outlineOffset: 2 },
      }}
    >
      <Typography variant="h2" component="h2" sx={{ mb: 0.75 }}>
        {title}
      </Typography>
      <Badge tone={tone}>{state}</Badge>
      <Typography variant="body2" sx={{ color: "text.secondary", mt: 0.5, minHeight: "1.45em" }}>
        {children}
      </Typography>
    </Card>
  )
}

function useHealthText() {
  const translate = useTranslate()
  return (key: string, values = {}) => translate(`console.health.${key}`, values)
}

function CheckHealth() {
  const text = useHealthText()
  const format = useFormat()
  const { run, error } = useTodaysRun()
  const card = { to: "check-runs", title: useRunTitle(run) }
  if (error) return <HealthCard {...card} tone="withheld" state={text("unknown")} />
  if (!run) return <HealthCard {...card} tone="neutral" state={text("none")} />

  const isBad = run.unresolved > run.planned * MAX_UNRESOLVED && run.finishedAt !== null
  const state = run.paused
    ? "paused"
    : run.stalled
      ? "stalled"
      : isBad
        ? "unresolved"
        : run.finishedAt
          ? "done"
          : "running"
  const tones = {
    paused: "caution",
    stalled: "withheld",
    unresolved: "caution",
    done: "valid",
    running: "neutral",
  } as const
  return (
    <HealthCard {...card} tone={tones[state]} state={text(state)}>
      {text("checkNote", {
        done: format.number(run.done),
        planned: format.number(run.planned),
        unresolved: format.number(run.unresolved),
      })}
    </HealthCard>
  )
}

function DeliveryHealth() {
  const text = useHealthText()
  const { data, error } = useRead<Summary>("deliveries/summary", { live: true })
  const card = { to: "deliveries", title: text("deliveries") }
  if (error) return <HealthCard {...card} tone="withheld" state={text("unknown")} />
  if (!data) return <HealthCard {...card} tone="neutral" state="…" />
  return (
    <HealthCard
      {...card}
      tone={data.failed > 0 ? "caution" : "valid"}
      state={text(data.failed > 0 ? "failures" : "fine")}
    >
      {text("deliveriesNote", { waiting: data.waiting, failed: data.failed })}
    </HealthCard>
  )
}

function PaymentHealth() {
  const text = useHealthText()
  const { total, error } = useGetList("discrepancies", {
    pagination: onlyTheTotal,
    sort: { field: "detectedAt", order: "ASC" },
    filter: { open: true },
  })
  const card = { to: "discrepancies", title: text("payments") }
  if (error) return <HealthCard {...card} tone="withheld" state={text("unknown")} />
  if (total === undefined) return <HealthCard {...card} tone="neutral" state="…" />
  return (
    <HealthCard
      {...card}
      tone={total > 0 ? "caution" : "valid"}
      state={text(total > 0 ? "toResolve" : "fine")}
    >
      {text("paymentsNote", { smart_count: total })}
    </HealthCard>
  )
}

function IncidentHealth() {
  const text = useHealthText()
  const { total, error } = useGetList(
    "incidents",
    {
      pagination: onlyTheTotal,
      sort: { field: "openedAt", order: "DESC" },
      filter: { open: true },
    },
    polling,
  )
  const card = { to: "incidents", title: text("incidents") }
  if (error) return <HealthCard {...card} tone="withheld" state={text("unknown")} />
  if (total === undefined) return <HealthCard {...card} tone="neutral" state="…" />
  return (
    <HealthCard
      {...card}
      tone={total > 0 ? "withheld" : "valid"}
      state={text(total > 0 ? "open" : "fine")}
    >
      {text("incidentsNote", { smart_count: total })}
    </HealthCard>
  )
}
