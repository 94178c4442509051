import { Outlet, useRevalidator } from "react-router"
import { EmailVerification } from "~/features/accounts/email-verification"
import { currentUser } from "~/lib/session"
import type { Route } from "./+types/session-layout"
import { ErrorPage } from "./error-page"
import { SessionProviders } from "./session-providers"

export async function clientLoader() {
  return { user: await currentUser() }
}

// The user is fetched once and cached, so revalidating costs nothing.
export const shouldRevalidate = () => true

/** Until the e-mail address is verified, every path shows the verification screen. */
export default function SessionLayout({ loaderData: { user } }: Route.ComponentProps) {
  return (
    <SessionProviders user={user}>
      {user && !user.emailVerified ? <EmailVerification email={user.email} /> : <Outlet />}
    </SessionProviders>
  )
}

export function ErrorBoundary() {
  const { revalidate } = useRevalidator()
  return <ErrorPage onRetry={() => void revalidate()} />
}
