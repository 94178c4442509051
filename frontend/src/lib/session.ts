/** The signed-in user: the query, the cache and the React context. */

import { queryOptions } from "@tanstack/react-query"
import { createContext } from "react"
import { getUserQueryKey } from "~/api/@tanstack/react-query.gen"
import { getUser } from "~/api/sdk.gen"
import type { UserOut } from "~/api/types.gen"
import { isUnauthenticated } from "./error-messages"
import { clearLastStateTime } from "./last-state"
import { queryClient } from "./query-client"

/** The signed-in user, or null for a visitor: a 401 here is an answer, not an error. */
export const sessionQuery = queryOptions<UserOut | null>({
  queryKey: getUserQueryKey(),
  queryFn: async ({ signal }) => {
    try {
      return (await getUser({ signal, throwOnError: true })).data
    } catch (error) {
      if (isUnauthenticated(error)) return null
      throw error
    }
  },
})

/** The signed-in user, from the cache after the first call. */
export function currentUser(): Promise<UserOut | null> {
  return queryClient.ensureQueryData(sessionQuery)
}

/** Drops everything that was fetched in this session, so that the next one starts empty. */
export function clearSession(): void {
  queryClient.clear()
  void clearLastStateTime()
  announceSession()
}

let channel: BroadcastChannel | undefined
/** Of this tab: what it sends reaches the others alone. The console uses the same name. */
function sessionChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel("session")
  return channel
}

/** Tells the other tabs that the browser may have another session now. */
export function announceSession(): void {
  sessionChannel().postMessage(null)
}

/** Calls the listener when another tab may have changed the session; returns a function to stop. */
export function onSessionAnnounced(listener: () => void): () => void {
  sessionChannel().onmessage = listener
  return () => {
    sessionChannel().onmessage = null
  }
}

/** Null for a visitor; screens read it with `useUser` or `useOptionalUser`. */
export const SessionContext = createContext<UserOut | null>(null)
