/** The panel's query client, which caches the server's data. */

import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"
import { isApiError, isUnauthenticated } from "./error-messages"
import { announceError, announceSuccess } from "./outcomes"
import "./api-client"

/** Another tab has signed in to another account, which replaced the session. */
type SessionEnd = { isReplaced: boolean }
let sessionExpiredListener: (end: SessionEnd) => void = () => {}
let isSessionChanging = false

/**
 * Registers what runs when a request finds the session expired; returns a function to unregister.
 */
export function onSessionExpired(listener: typeof sessionExpiredListener): () => void {
  sessionExpiredListener = listener
  isSessionChanging = false
  return () => {
    sessionExpiredListener = () => {}
  }
}

/** Returns whether the error says that the session has expired, which then ends on the screen. */
export function reportExpiredSession(error: unknown): boolean {
  const isExpired = isUnauthenticated(error) && !isSessionChanging
  if (isExpired) sessionExpiredListener({ isReplaced: isApiError(error, "auth_other_account") })
  return isExpired
}

/**
 * Calls what ends or replaces the session. A request that is under way meanwhile, or sent before the
 * screen is left, may be refused; that says nothing of the user's session.
 */
export async function changeSession<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  isSessionChanging = true
  try {
    await queryClient.cancelQueries()
    return await call()
  } catch (error) {
    isSessionChanging = false
    throw error
  }
}

// Data stays until a mutation invalidates it: never stale, no refetch on focus, no polling, no
// retries.
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: reportExpiredSession }),
  mutationCache: new MutationCache({
    onError: reportExpiredSession,
    onSettled: (data, error, variables, _result, { meta }) =>
      error ? announceError(meta ?? {}, error) : announceSuccess(meta ?? {}, data, variables),
  }),
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchInterval: false,
      retry: false,
    },
    // Not kept until the network is back: the screen would wait, and say nothing.
    mutations: { retry: false, networkMode: "always" },
  },
})
