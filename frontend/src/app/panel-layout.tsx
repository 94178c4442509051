import { Outlet } from "react-router"
import { LandingPage } from "~/features/landing/landing-page"
import { useMaybeUser } from "~/shared/session"
import { PanelShell } from "./panel-shell"

/** The panel for who is signed in, the landing page for everybody else. */
export default function PanelLayout() {
  if (!useMaybeUser()) return <LandingPage elsewhere />
  return (
    <PanelShell>
      <Outlet />
    </PanelShell>
  )
}
