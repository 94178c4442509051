import { Box, Card, Typography } from "@mui/material"
import { type ReactNode, useId } from "react"

type PanelProps = { title: string; actions?: ReactNode; children: ReactNode }

/** A titled section of a screen. */
export function Panel({ title, actions, children }: PanelProps) {
  const id = useId()
  return (
    <Card component="section" aria-labelledby={id} sx={{ p: 2.5 }}>
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          gap: 1,
          alignItems: "center",
          mb: 1.5,
          minHeight: 32,
        }}
      >
        <Typography id={id} variant="h2" sx={{ flexGrow: 1 }}>
          {title}
        </Typography>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>{actions}</Box>
      </Box>
      {children}
    </Card>
  )
}
