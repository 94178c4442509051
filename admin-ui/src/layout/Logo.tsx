import { Box } from "@mui/material"
import { useTranslate } from "react-admin"
import { brand } from "../brand.ts"

/** The panel's logo, and that this is the console. */
export function Logo() {
  const translate = useTranslate()
  return (
    <Box
      component="span"
      sx={{ display: "inline-flex", alignItems: "center", gap: 1.25, color: "inherit" }}
    >
      <Box component="svg" aria-hidden viewBox="0 0 28 20" sx={{ height: 24, color: "inherit" }}>
        <rect width="28" height="20" rx="4" fill="currentColor" />
        <Box
          component="g"
          fill="none"
          strokeLinecap="round"
          sx={{ stroke: (theme) => theme.palette.sidebar.ground }}
        >
          <path d="M5 6h6M5 10h4" strokeWidth="2" opacity="0.65" />
          <path d="m13.500 11 3.500 3.500 6.500-8" strokeWidth="3" strokeLinejoin="round" />
        </Box>
      </Box>
      <Box
        component="span"
        sx={{
          fontSize: "1.25rem",
          fontWeight: 700,
          lineHeight: 1.2,
          "@media (max-width: 359px)": { display: "none" },
        }}
      >
        {brand}
      </Box>
      <Box
        component="span"
        sx={{
          display: { xs: "none", sm: "inline" },
          px: 0.75,
          border: 1,
          borderColor: (theme) => theme.palette.sidebar.line,
          borderRadius: 1,
          fontSize: "0.75rem",
          fontWeight: 600,
          color: (theme) => theme.palette.sidebar.inkSoft,
        }}
      >
        {translate("console.name")}
      </Box>
    </Box>
  )
}
