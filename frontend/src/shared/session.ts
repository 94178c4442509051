/** Who is signed in, as every screen of the panel sees it. */

import { queryOptions } from "@tanstack/react-query"
import { createContext, use } from "react"
import { getUserQueryKey } from "~/api/@tanstack/react-query.gen"
import { getUser } from "~/api/sdk.gen"
import type { UserOut } from "~/api/types.gen"
import { isSignedOut } from "~/shared/problem"
import { queryClient } from "~/shared/query-client"

/** The signed-in user, or null for a visitor: a 401 here is an answer, not an error. */
export const sessionQuery = queryOptions<UserOut | null>({
  queryKey: getUserQueryKey(),
  queryFn: async ({ signal }) => {
    try {
      return (await getUser({ signal, throwOnError: true })).data
    } catch (error) {
      if (isSignedOut(error)) return null
      throw error
    }
  },
})

export function currentUser(): Promise<UserOut | null> {
  return queryClient.ensureQueryData(sessionQuery)
}

/** Forget everything one session has read, so that the next one starts clean. */
export function forgetSession(): void {
  queryClient.clear()
}

const SessionContext = createContext<UserOut | null>(null)

export const SessionProvider = SessionContext.Provider

/** The signed-in user. Only for screens that are shown to nobody else. */
export function useUser(): UserOut {
  const user = use(SessionContext)
  if (!user) throw new Error("this screen needs a signed-in user")
  return user
}

export function useMaybeUser(): UserOut | null {
  return use(SessionContext)
}
