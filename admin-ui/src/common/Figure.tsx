import { Box, Typography } from "@mui/material"
import type { ReactNode } from "react"
import type { Tone } from "../theme.ts"

type FigureProps = { label: string; value: ReactNode; note?: ReactNode; tone?: Tone }

/** A number with its name. */
export function Figure({ label, value, note, tone }: FigureProps) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="caption" sx={{ display: "block", color: "text.secondary" }}>
        {label}
      </Typography>
      <Typography
        sx={{
          fontSize: "1.375rem",
          fontFeatureSettings: '"tnum" 1',
          fontWeight: 680,
          lineHeight: 1.25,
          color: (theme) => (tone ? theme.palette.tones[tone].ink : undefined),
        }}
      >
        {value}
      </Typography>
      {note && (
        <Typography variant="caption" sx={{ display: "block", color: "text.secondary" }}>
          {note}
        </Typography>
      )}
    </Box>
  )
}

/** Figures beside each other, as many as fit. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        display: "grid",
        gap: 2,
        gridTemplateColumns: "repeat(auto-fill, minmax(min(7rem, 100%), 1fr))",
      }}
    >
      {children}
    </Box>
  )
}
