import { Outlet } from "react-router"
import { useMaybeUser } from "~/shared/session"
import { NotFound } from "./not-found"

/** Account pages are for visitors; whoever is signed in has no such path. */
export default function VisitorLayout() {
  return useMaybeUser() ? <NotFound /> : <Outlet />
}
