import { Suspense } from "react"
import { Navigate, useLocation } from "react-router"
import { NotFound } from "~/app/not-found"
import { useOptionalUser } from "~/hooks/use-user"
import { LandingPage } from "./lazy-landing-page"

/** Unknown paths: visitors see the landing page or, under /admin, the login; users see a 404 page. */
export default function CatchAll() {
  const { pathname } = useLocation()
  if (useOptionalUser()) return <NotFound />
  if (/^\/admin(\/|$)/.test(pathname)) return <Navigate to="/auth/login" replace />
  return (
    <Suspense>
      <LandingPage isFallback />
    </Suspense>
  )
}
