import { Box, Card, Typography } from "@mui/material"
import { useTranslate } from "react-admin"
import { useFormat } from "../common/format.ts"
import { Loaded } from "../common/Loaded.tsx"
import { useRead } from "../common/useRead.ts"

type Stats = {
  totalUsers: number
  newUsersToday: number
  activeSubscriptions: number
  actionsToday: number
}

export function StatCards() {
  const translate = useTranslate()
  const format = useFormat()
  const stats = useRead<Stats>("stats")
  const text = (key: string, values = {}) => translate(`console.stats.${key}`, values)
  return (
    <Loaded query={stats} height={104}>
      {({ totalUsers, newUsersToday, activeSubscriptions, actionsToday }) => (
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: "repeat(auto-fit, minmax(min(13rem, 100%), 1fr))",
          }}
        >
          <StatCard
            title={text("users")}
            value={format.number(totalUsers)}
            note={text("newToday", { smart_count: newUsersToday })}
          />
          <StatCard
            title={text("subscriptions")}
            value={format.number(activeSubscriptions)}
            note={text("shareOfUsers", { share: format.percent(activeSubscriptions, totalUsers) })}
          />
          <StatCard
            title={text("actions")}
            value={format.number(actionsToday)}
            note={text("actionsNote")}
          />
        </Box>
      )}
    </Loaded>
  )
}

type StatCardProps = { title: string; value: string; note: string }

function StatCard({ title, value, note }: StatCardProps) {
  return (
    <Card sx={{ px: 2.5, py: 2 }}>
      <Typography component="h2" variant="body2" sx={{ color: "text.secondary" }}>
        {title}
      </Typography>
      <Typography sx={{ fontSize: "2.25rem", fontWeight: 680, lineHeight: 1.15 }}>
        {value}
      </Typography>
      <Typography variant="body2" sx={{ color: "text.secondary" }}>
        {note}
      </Typography>
    </Card>
  )
}
