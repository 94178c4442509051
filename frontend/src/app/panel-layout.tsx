import { Outlet } from "react-router"
import { useOptionalUser } from "~/hooks/use-user"
import { LandingPage } from "./lazy-landing-page"
import { PanelShell } from "./panel-shell"

/** The panel for signed-in users, the landing page for visitors. */
export default function PanelLayout() {
  if (!useOptionalUser()) {
    return <LandingPage isFallback />
  }
  return (
    <PanelShell>
      <Outlet />
    </PanelShell>
  )
}
