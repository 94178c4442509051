import { Box } from "@mui/material"
import { useTranslate } from "react-admin"
import { NavLink } from "react-router"
import { Logo } from "./Logo.tsx"
import { menu } from "./menu.tsx"

/** The logo and the menu; on small screens inside a drawer. */
export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const translate = useTranslate()
  return (
    <Box
      sx={{
        minHeight: "100%",
        px: 1.5,
        py: 2.5,
        color: (theme) => theme.palette.sidebar.ink,
        backgroundColor: (theme) => theme.palette.sidebar.ground,
      }}
    >
      <Box sx={{ px: 1.5, pb: 2 }}>
        <Logo />
      </Box>
      <nav aria-label={translate("console.menu.label")}>
        {menu.map(({ label, entries }) => (
          <Box key={label} sx={{ mb: 1.5 }}>
            <Box
              aria-hidden
              sx={{
                px: 1.5,
                py: 0.5,
                fontSize: "0.75rem",
                fontWeight: 600,
                color: (theme) => theme.palette.sidebar.inkSoft,
              }}
            >
              {translate(label)}
            </Box>
            <Box
              component="ul"
              aria-label={translate(label)}
              sx={{ listStyle: "none", m: 0, p: 0 }}
            >
              {entries.map(({ path, label: entryLabel, icon: Icon }) => (
                <li key={path}>
                  <SidebarLink to={`/admin/${path}`} end={path === ""} onClick={onNavigate}>
                    <Icon aria-hidden sx={{ fontSize: 20 }} />
                    {translate(entryLabel, { smart_count: 2 })}
                  </SidebarLink>
                </li>
              ))}
            </Box>
          </Box>
        ))}
      </nav>
    </Box>
  )
}

type SidebarLinkProps = {
  to: string
  end: boolean
  onClick: (() => void) | undefined
  children: React.ReactNode
}

function SidebarLink(props: SidebarLinkProps) {
  return (
    <Box
      component={NavLink}
      {...props}
      sx={({ palette }) => ({
        position: "relative",
        display: "flex",
        alignItems: "center",
        gap: 1.25,
        minHeight: 36,
        px: 1.5,
        borderRadius: 1,
        fontSize: "0.9375rem",
        fontWeight: 500,
        textDecoration: "none",
        color: palette.sidebar.inkSoft,
        "&:hover": { backgroundColor: palette.sidebar.raised, color: palette.sidebar.ink },
        "&:focus-visible": { outline: `3px solid ${palette.sidebar.ink}`, outlineOffset: -3 },
        "&.active": {
          fontWeight: 600,
          backgroundColor: palette.sidebar.raised,
          color: palette.sidebar.ink,
        },
        // the centre line of a road marks the current screen, as in the panel
        "&.active::before": {
          content: '""',
          position: "absolute",
          insetBlock: 8,
          left: 0,
          width: 4,
          borderRadius: 2,
          backgroundColor: palette.sidebar.ink,
        },
      })}
    />
  )
}
