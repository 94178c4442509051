import { Box } from "@mui/material"
import type { ReactNode } from "react"

/** The buttons at the end of a row. */
export function RowActions({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: { xs: "wrap", md: "nowrap" },
        gap: 0.5,
        justifyContent: { xs: "flex-start", md: "flex-end" },
      }}
    >
      {children}
    </Box>
  )
}
