import { lazy, type ReactNode, Suspense, useEffect, useState } from "react"
import { Outlet, useLocation } from "react-router"
import type { UserOut } from "~/api/types.gen"
import { revealLandingPage, storeSignedInHint } from "~/lib/signed-in-hint"

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
 * verification screen on every path, a verified one sees the dashboard on `/`.
 */
function PublicPage({ page, children }: { page: PublicPageName; children: ReactNode }) {
  const [user, setUser] = useState<UserOut | null>(null)

  useEffect(() => {
    const request = new AbortController()
    fetchUser(request.signal).then((fetched) => {
      if (request.signal.aborted) return
      storeSignedInHint(fetched !== null)
      if (!fetched || page === "legal") revealLandingPage()
      setUser(fetched)
    })
    return () => {
      request.abort()
      revealLandingPage()
    }
  }, [page])

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

/** The signed-in user; null for a visitor and when the server cannot be reached. */
async function fetchUser(signal: AbortSignal): Promise<UserOut | null> {
  try {
    const response = await fetch("/api/user", { signal, credentials: "same-origin" })
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}
