import { Outlet } from "react-router"
import { useOptionalUser } from "~/hooks/use-user"
import { NotFound } from "./not-found"

/** Account pages are for visitors only; signed-in users get a 404 page. */
export default function VisitorLayout() {
  return useOptionalUser() ? <NotFound /> : <Outlet />
}
