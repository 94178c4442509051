import { Box, Button, Typography } from "@mui/material"
import type { ReactNode } from "react"
import { useListContext, useTranslate } from "react-admin"

/** The actions for the selected cards; it stays at the foot of the screen, by the thumb. */
export function SelectionBar({ children }: { children: ReactNode }) {
  const { selectedIds, onUnselectItems } = useListContext()
  const translate = useTranslate()
  const smart_count = selectedIds?.length ?? 0
  if (!children || smart_count === 0) return null
  return (
    <Box
      sx={{
        position: "sticky",
        bottom: 0,
        zIndex: 1,
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1,
        px: 2,
        pt: 1,
        pb: "max(8px, env(safe-area-inset-bottom))",
        borderTop: 1,
        borderColor: "divider",
        backgroundColor: "background.paper",
        boxShadow: 8,
        "& .MuiButton-root": { minHeight: 44 },
      }}
    >
      <Typography role="status" sx={{ fontWeight: 600 }}>
        {translate("ra.action.bulk_actions", { smart_count })}
      </Typography>
      <Button size="small" onClick={() => onUnselectItems()}>
        {translate("ra.action.unselect")}
      </Button>
      <Box sx={{ ml: "auto" }}>{children}</Box>
    </Box>
  )
}
