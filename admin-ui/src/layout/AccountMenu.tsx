import AccountCircleOutlined from "@mui/icons-material/AccountCircleOutlined"
import { Box, IconButton, ListItemText, Menu, MenuItem, Tooltip } from "@mui/material"
import { useState } from "react"
import { useGetIdentity, useLogout, useNotify, useTranslate } from "react-admin"
import { errorText } from "../common/errorText.ts"

/** The menu of the signed-in operator: their account in the panel, and signing out. */
export function AccountMenu() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { identity } = useGetIdentity()
  const translate = useTranslate()
  const logout = useLogout()
  const notify = useNotify()

  const signOut = () =>
    logout({ byUser: true }).catch((error: unknown) =>
      notify(errorText(error, translate), { type: "error" }),
    )

  return (
    <>
      <Tooltip title={identity?.fullName ?? translate("console.account.label")}>
        <IconButton
          color="inherit"
          aria-label={translate("console.account.label")}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <AccountCircleOutlined />
        </IconButton>
      </Tooltip>
      <Menu disablePortal anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <Box component="li" sx={{ px: 2, py: 1, maxWidth: 320 }} role="none">
          <ListItemText
            primary={identity?.fullName}
            secondary={translate("console.account.role")}
            slotProps={{ primary: { sx: { overflowWrap: "anywhere" } } }}
          />
        </Box>
        <MenuItem component="a" href="/panel/account">
          {translate("console.account.panel")}
        </MenuItem>
        <MenuItem onClick={signOut}>{translate("ra.auth.logout")}</MenuItem>
      </Menu>
    </>
  )
}
