import { Navigate, useLocation } from "react-router"
import { useOptionalUser } from "~/hooks/use-user"
import { LandingPage } from "./lazy-landing-page"
import { NotFound } from "./not-found"

/**
 * Unknown paths: users see a 404 page, visitors the landing page. /admin
 * redirects to the login, where users see the 404 page too (docs/rules.md R20).
 */
export default function CatchAll() {
  const { pathname } = useLocation()
  const user = useOptionalUser()
  if (/^\/admin(\/|$)/.test(pathname)) return <Navigate to="/auth/login" replace />
  if (user) return <NotFound />
  return <LandingPage isFallback />
}
