import { Navigate, useLocation } from "react-router"
import { NotFound } from "~/app/not-found"
import { LandingPage } from "~/features/landing/landing-page"
import { useOptionalUser } from "~/hooks/use-user"

/** Unknown paths: visitors see the landing page or, under /admin, the login; users see a 404 page. */
export default function CatchAll() {
  const { pathname } = useLocation()
  if (useOptionalUser()) return <NotFound />
  if (/^\/admin(\/|$)/.test(pathname)) return <Navigate to="/auth/login" replace />
  return <LandingPage isFallback />
}
