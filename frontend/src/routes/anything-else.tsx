import { Navigate, useLocation } from "react-router"
import { NotFound } from "~/app/not-found"
import { LandingPage } from "~/features/landing/landing-page"
import { useMaybeUser } from "~/shared/session"

/** No such path: visitors see the landing page, users that it is not there, and /admin asks for a login. */
export default function AnythingElse() {
  const { pathname } = useLocation()
  if (useMaybeUser()) return <NotFound />
  if (/^\/admin(\/|$)/.test(pathname)) return <Navigate to="/auth/login" replace />
  return <LandingPage elsewhere />
}
