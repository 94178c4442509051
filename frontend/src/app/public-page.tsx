import { lazy, type ReactNode, Suspense, useEffect, useState } from "react"
import type { UserOut } from "~/api/types.gen"
import { rememberMember, showToVisitors } from "~/shared/membership"

const SignedInHome = lazy(() => import("./signed-in-home"))

/**
 * A page that is written into the build for visitors. Once it runs it asks who is looking:
 * an unverified user sees the verification screen on every path, a verified one the dashboard on `/`.
 */
export function PublicPage({ page, children }: { page: "home" | "legal"; children: ReactNode }) {
  const [user, setUser] = useState<UserOut | null>(null)

  useEffect(() => {
    const asking = new AbortController()
    whoIsLooking(asking.signal).then((found) => {
      if (asking.signal.aborted) return
      rememberMember(found !== null)
      if (!found || page === "legal") showToVisitors()
      setUser(found)
    })
    return () => {
      asking.abort()
      showToVisitors()
    }
  }, [page])

  if (user && !(user.emailVerified && page === "legal")) {
    return (
      <Suspense>
        <Shown />
        <SignedInHome user={user} page={page} />
      </Suspense>
    )
  }
  return children
}

/** The dashboard is there: nothing needs to be hidden any more. */
function Shown() {
  useEffect(showToVisitors, [])
  return null
}

/** Who cannot be asked is a visitor. */
async function whoIsLooking(signal: AbortSignal): Promise<UserOut | null> {
  try {
    const answer = await fetch("/api/user", { signal, credentials: "same-origin" })
    return answer.ok ? await answer.json() : null
  } catch {
    return null
  }
}
