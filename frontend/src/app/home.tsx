import { useLocation } from "react-router"
import { useOptionalUser } from "~/hooks/use-user"
import Overview from "~/routes/overview"
import { LandingPage } from "./lazy-landing-page"
import { PanelShell } from "./panel-shell"

/** `/` and `/en`: the dashboard for users, the landing page for visitors. */
export default function Home() {
  const { pathname } = useLocation()
  if (!useOptionalUser()) {
    return <LandingPage fixedLanguage={pathname.startsWith("/en") ? "en" : undefined} />
  }
  return (
    <PanelShell>
      <Overview />
    </PanelShell>
  )
}
