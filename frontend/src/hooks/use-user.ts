import { use } from "react"
import type { UserOut } from "~/api/types.gen"
import { SessionContext } from "~/lib/session"

/** The signed-in user. Only for screens that visitors never see. */
export function useUser(): UserOut {
  const user = use(SessionContext)
  if (!user) throw new Error("this screen needs a signed-in user")
  return user
}

/** Whether an operator acts in the user's name, which some things exclude. */
export function useIsImpersonated(): boolean {
  return useUser().impersonator !== null
}

/** The signed-in user, or null for a visitor. */
export function useOptionalUser(): UserOut | null {
  return use(SessionContext)
}
