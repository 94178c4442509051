import { lazy, type ReactNode, Suspense, useEffect, useState } from "react"
import { Outlet, useLocation } from "react-router"
import type { UserOut } from "~/api/types.gen"
import { hasSignedInHint, revealLandingPage, storeSignedInHint } from "~/lib/signed-in-hint"
import { ErrorPage } from "./error-page"

const SignedInHome = lazy(() => import("./signed-in-home"))

type PublicPageName = "home" | "legal"

/** The pages that the build prerenders for visitors. */
export default function PublicLayout() {
  const { pathname } = useLocation()
  return (
    <PublicPage key={pathname} page={pathname === "/" ? "home" : "legal"}>
      <Outlet />
    </PublicPage>
  )
}

/**
 * A prerendered page. After hydration it asks the server for the user: an unverified user sees the
 * verification screen on every path, a verified one sees the dashboard on `/`. Without an answer
 * only a browser that had a session sees an error on `/`; a visitor keeps the page.
 */
function PublicPage({ page, children }: { page: PublicPageName; children: ReactNode }) {
  const [user, setUser] = useState<UserOut | null>(null)
  const [isUnknown, setIsUnknown] = useState(false)

  useEffect(() => {
    const request = new AbortController()
    const showUser = (fetched: UserOut | null) => {
      if (request.signal.aborted) return
      storeSignedInHint(fetched !== null)
      if (!fetched || page === "legal") revealLandingPage()
      setUser(fetched)
    }
    const showFailure = () => {
      if (request.signal.aborted) return
      setIsUnknown(page === "home" && hasSignedInHint())
      revealLandingPage()
    }
    fetchUser(request.signal).then(showUser, showFailure)
    return () => {
      request.abort()
      revealLandingPage()
    }
  }, [page])

  if (isUnknown) return <ErrorPage onRetry={() => window.location.reload()} />
  if (user && !(user.emailVerified && page === "legal")) {
    return (
      <Suspense>
        <RevealOnMount />
        <SignedInHome user={user} page={page} />
      </Suspense>
    )
  }
  return children
}

/** The dashboard has replaced the landing page, so the body need not stay hidden. */
function RevealOnMount() {
  useEffect(revealLandingPage, [])
  return null
}

/** The signed-in user; null for a visitor. Rejects unless the server answers the question. */
async function fetchUser(signal: AbortSignal): Promise<UserOut | null> {
  const response = await fetch("/api/user", { signal, credentials: "same-origin" })
  if (response.status === 401) return null
  if (!response.ok) throw new Error(`GET /api/user: ${response.status}`)
  return response.json()
}
