import CheckCircleOutlined from "@mui/icons-material/CheckCircleOutlined"
import CircleOutlined from "@mui/icons-material/CircleOutlined"
import ReportOutlined from "@mui/icons-material/ReportOutlined"
import WarningAmberOutlined from "@mui/icons-material/WarningAmberOutlined"
import { Box } from "@mui/material"
import { useRecordContext, useTranslate } from "react-admin"
import type { Tone } from "../theme.ts"
import { Nothing } from "./Nothing.tsx"
import { type BadgeKind, toneOf } from "./tones.ts"

// As in the panel: an icon beside the text, so that no state is shown by its colour alone.
const icons = {
  valid: CheckCircleOutlined,
  withheld: ReportOutlined,
  caution: WarningAmberOutlined,
  neutral: CircleOutlined,
}

export function Badge({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  const Icon = icons[tone]
  return (
    <Box
      component="span"
      data-tone={tone}
      sx={{
        display: "inline-flex",
        alignItems: "center",
        gap: 0.75,
        px: 1,
        py: 0.25,
        borderRadius: 1,
        fontSize: "0.875rem",
        fontWeight: 600,
        lineHeight: 1.4,
        whiteSpace: "nowrap",
        color: (theme) => theme.palette.tones[tone].ink,
        backgroundColor: (theme) => theme.palette.tones[tone].soft,
      }}
    >
      <Icon aria-hidden sx={{ fontSize: 16, flexShrink: 0 }} />
      {children}
    </Box>
  )
}

type StatusBadgeProps = { kind: BadgeKind; source?: string; value?: string | null }

/** The badge of a state, given as `value` or as a field of the record. */
export function StatusBadge({ kind, source = "status", value }: StatusBadgeProps) {
  const translate = useTranslate()
  const record = useRecordContext()
  const state = value ?? record?.[source]
  if (!state) return <Nothing />
  return (
    <Badge tone={toneOf(kind, state)}>
      {translate(`values.${kind}.${state}`, { _: String(state) })}
    </Badge>
  )
}
