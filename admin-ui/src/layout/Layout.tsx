import MenuIcon from "@mui/icons-material/Menu"
import { Box, Drawer, IconButton, type Theme, Typography, useMediaQuery } from "@mui/material"
import { Suspense, useEffect, useState } from "react"
import { type LayoutProps, Loading, SkipNavigationButton, useTranslate } from "react-admin"
import { ErrorBoundary } from "react-error-boundary"
import { useLocation } from "react-router"
import { brand } from "../brand.ts"
import { ErrorAlert } from "../common/LoadError.tsx"
import { Logo } from "./Logo.tsx"
import { findMenuEntry } from "./menu.tsx"
import { Sidebar } from "./Sidebar.tsx"
import { Toolbar } from "./Toolbar.tsx"

const SIDEBAR_WIDTH = 248

/** The menu beside the screen, as in the panel; on small screens a top bar opens it as a drawer. */
export function Layout({ children }: LayoutProps) {
  const hasSidebar = useMediaQuery<Theme>((theme) => theme.breakpoints.up("lg"))
  const { pathname } = useLocation()
  useDocumentTitle(pathname)

  return (
    <Box sx={{ display: { lg: "grid" }, gridTemplateColumns: `${SIDEBAR_WIDTH}px minmax(0, 1fr)` }}>
      <SkipNavigationButton />
      {hasSidebar ? (
        <Box
          component="aside"
          sx={{ position: "sticky", top: 0, height: "100dvh", overflowY: "auto" }}
        >
          <Sidebar />
        </Box>
      ) : (
        <TopBar />
      )}
      <Box
        component="main"
        id="main-content"
        tabIndex={-1}
        sx={{ minWidth: 0, px: { xs: 2, sm: 3, lg: 4 }, py: { xs: 2, lg: 2.5 }, outline: 0 }}
      >
        <Box sx={{ display: "flex", alignItems: "center", gap: 2, mb: 2, minHeight: 40 }}>
          {/* react-admin's <Title> writes into the element of this id. */}
          <Typography
            variant="h1"
            id="react-admin-title"
            sx={{ minWidth: 0, overflowWrap: "anywhere" }}
          />
          {hasSidebar && <Toolbar />}
        </Box>
        <ErrorBoundary
          resetKeys={[pathname]}
          fallbackRender={({ error, resetErrorBoundary }) => (
            <ErrorAlert error={error} onRetry={resetErrorBoundary} />
          )}
        >
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </ErrorBoundary>
      </Box>
    </Box>
  )
}

function TopBar() {
  const [isOpen, setOpen] = useState(false)
  const translate = useTranslate()
  const close = () => setOpen(false)
  return (
    <Box
      component="header"
      sx={{
        position: "sticky",
        top: 0,
        zIndex: "appBar",
        display: "flex",
        alignItems: "center",
        flexWrap: "wrap",
        gap: 0.5,
        minHeight: 56,
        px: 1,
        color: (theme) => theme.palette.sidebar.ink,
        backgroundColor: (theme) => theme.palette.sidebar.ground,
      }}
    >
      <IconButton
        color="inherit"
        aria-label={translate("ra.action.open_menu")}
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <MenuIcon />
      </IconButton>
      <Logo />
      <Toolbar />
      <Drawer
        open={isOpen}
        onClose={close}
        slotProps={{ paper: { "aria-label": translate("console.menu.label"), sx: { width: 280 } } }}
      >
        <Sidebar onNavigate={close} />
      </Drawer>
    </Box>
  )
}

function useDocumentTitle(pathname: string): void {
  const translate = useTranslate()
  const label = findMenuEntry(pathname.replace(/^\/admin/, ""))?.label
  useEffect(() => {
    document.title = label ? `${translate(label, { smart_count: 2 })} – ${brand}` : brand
  }, [label, translate])
}
