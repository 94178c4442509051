import { Navigate, Outlet, useLocation } from "react-router"
import { useOptionalUser } from "~/hooks/use-user"
import { readNextPath } from "~/lib/next-path"
import { NotFound } from "./not-found"

/**
 * Account pages are for visitors only. A signed-in user who followed the link of a mail is passed
 * on to its target; otherwise they get a 404 page.
 */
export default function VisitorLayout() {
  const user = useOptionalUser()
  const next = readNextPath(useLocation().search)
  if (!user) return <Outlet />
  return next ? <Navigate to={next} replace /> : <NotFound />
}
