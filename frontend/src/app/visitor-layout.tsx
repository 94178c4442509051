import { useEffect } from "react"
import { Navigate, Outlet, useLocation } from "react-router"
import { useOptionalUser } from "~/hooks/use-user"
import { isConsolePath, readNextPath } from "~/lib/next-path"
import { NotFound } from "./not-found"

/**
 * Account pages are for visitors only. A signed-in user who followed the link of a mail is
 * redirected to its target; other signed-in users get a 404 page. Another tab of the console leads an
 * operator here who impersonates a user: that user's panel has the way back.
 */
export default function VisitorLayout() {
  const user = useOptionalUser()
  const next = readNextPath(useLocation().search)
  if (!user) return <Outlet />
  if (user.impersonator) return <Navigate to="/panel" replace />
  if (!next) return <NotFound />
  return isConsolePath(next) ? <OpenConsole path={next} /> : <Navigate to={next} replace />
}

/** The console is another application: the browser loads its page. */
function OpenConsole({ path }: { path: string }) {
  useEffect(() => window.location.replace(path), [path])
  return null
}
