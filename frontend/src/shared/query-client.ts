/** The panel's one store of what the server said. */

import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"
import { isSignedOut } from "~/shared/problem"
import "~/shared/api-client"

let sessionEnded: () => void = () => {}

/** Tell the app when a call learns that the session is over; returns the way to stop. */
export function onSessionEnd(listener: () => void): () => void {
  sessionEnded = listener
  return () => {
    sessionEnded = () => {}
  }
}

function notice(error: unknown): void {
  if (isSignedOut(error)) sessionEnded()
}

// Data stays until a change of ours refreshes it: never stale, no refetch on focus, no polling, no retries.
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
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
