import { Outlet } from "react-router"
import { LandingPage } from "~/features/landing/landing-page"
import { useOptionalUser } from "~/hooks/use-user"
import { PanelShell } from "./panel-shell"

/** The panel for signed-in users, the landing page for visitors. */
export default function PanelLayout() {
  if (!useOptionalUser()) return <LandingPage isFallback />
  return (
    <PanelShell>
      <Outlet />
    </PanelShell>
  )
}
