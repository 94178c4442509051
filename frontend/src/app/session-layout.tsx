import { Outlet, useRevalidator } from "react-router"
import { VerifyEmail } from "~/features/accounts/verify-email"
import { currentUser } from "~/shared/session"
import type { Route } from "./+types/session-layout"
import { BrokenPage } from "./broken-page"
import { SessionFrame } from "./session-frame"

export async function clientLoader() {
  return { user: await currentUser() }
}

// The user is asked for once and then comes from the cache, so looking again costs nothing.
export const shouldRevalidate = () => true

/** With an unverified e-mail every path shows the verification screen. */
export default function SessionLayout({ loaderData: { user } }: Route.ComponentProps) {
  return (
    <SessionFrame user={user}>
      {user && !user.emailVerified ? <VerifyEmail email={user.email} /> : <Outlet />}
    </SessionFrame>
  )
}

export function ErrorBoundary() {
  const { revalidate } = useRevalidator()
  return <BrokenPage onRetry={() => void revalidate()} />
}
