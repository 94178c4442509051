/** The panel's query client, which caches the server's data. */

import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"
import { isUnauthenticated } from "./error-messages"
import { announceError, announceSuccess } from "./outcomes"
import "./api-client"

let sessionExpiredListener: () => void = () => {}

/**
 * Registers what runs when a request finds the session expired; returns a function to unregister.
 */
export function onSessionExpired(listener: () => void): () => void {
  sessionExpiredListener = listener
  return () => {
    sessionExpiredListener = () => {}
  }
}

function reportExpiredSession(error: unknown): void {
  if (isUnauthenticated(error)) sessionExpiredListener()
}

// Data stays until a mutation invalidates it: never stale, no refetch on focus, no polling, no
// retries.
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: reportExpiredSession }),
  mutationCache: new MutationCache({
    onError: reportExpiredSession,
    // After the callbacks of the mutation, which may fetch the list: a first result in that list is
    // announced before the call that caused it, and does not replace it.
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
    mutations: { retry: false },
  },
})
