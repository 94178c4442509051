import { Outlet, useLocation, useRevalidator } from "react-router"
import type { UserOut } from "~/api/types.gen"
import { DocumentAcceptance } from "~/features/sign-in/document-acceptance"
import { EmailVerification } from "~/features/sign-in/email-verification"
import { loadLanguage } from "~/lib/i18n"
import { currentUser } from "~/lib/session"
import type { Route } from "./+types/session-layout"
import { ErrorPage } from "./error-page"
import { ImpersonationBanner } from "./impersonation-banner"
import { SessionProviders } from "./session-providers"

// Pages for visitors as well: a link does not say who opens it.
const openPath = /^\/(terms|privacy|ack|auth\/alerts)\/?$/

export async function clientLoader() {
  const [user] = await Promise.all([currentUser(), loadLanguage()])
  return { user }
}

// The user is fetched once and cached, so revalidating costs nothing.
export const shouldRevalidate = () => true

/**
 * Until the e-mail address is verified, every path shows the verification screen; until changed
 * legal documents are accepted, every path but the open ones asks for that.
 */
export default function SessionLayout({ loaderData: { user } }: Route.ComponentProps) {
  return (
    <SessionProviders user={user}>
      <Screen user={user} />
      <ImpersonationBanner />
    </SessionProviders>
  )
}

function Screen({ user }: { user: UserOut | null }) {
  const { pathname } = useLocation()
  if (user && !user.emailVerified) return <EmailVerification email={user.email} />
  if (user?.pendingDocuments.length && !openPath.test(pathname)) {
    return <DocumentAcceptance documents={user.pendingDocuments} />
  }
  return <Outlet />
}

export function ErrorBoundary() {
  const { revalidate } = useRevalidator()
  return <ErrorPage onRetry={() => void revalidate()} />
}
