import { lazy, type ReactNode, Suspense, useEffect, useState } from "react"
import type { UserOut } from "~/api/types.gen"

const SignedInHome = lazy(() => import("./signed-in-home"))

/**
 * A page that is written into the build for visitors. Once it runs it asks who is looking:
 * an unverified user sees the verification screen on every path, a verified one the dashboard on `/`.
 */
export function PublicPage({ page, children }: { page: "home" | "legal"; children: ReactNode }) {
  const [user, setUser] = useState<UserOut | null>(null)

  useEffect(() => {
    const asking = new AbortController()
    fetch("/api/user", { signal: asking.signal, credentials: "same-origin" })
      .then((answer) => (answer.ok ? answer.json() : null))
      .then(setUser)
      .catch(() => {}) // who cannot be asked is a visitor
    return () => asking.abort()
  }, [])

  if (!user || (user.emailVerified && page === "legal")) return children
  return (
    <Suspense fallback={children}>
      <SignedInHome user={user} page={page} />
    </Suspense>
  )
}
