import { Box, type Theme, useMediaQuery } from "@mui/material"
import { LoadingIndicator, ToggleThemeButton } from "react-admin"
import { AccountMenu } from "./AccountMenu.tsx"
import { LanguageSwitch } from "./LanguageSwitch.tsx"

/** The controls at the top of every screen. */
export function Toolbar() {
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up("sm"))
  return (
    <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, ml: "auto" }}>
      {isWide && <LoadingIndicator />}
      <LanguageSwitch />
      <ToggleThemeButton />
      <AccountMenu />
    </Box>
  )
}
