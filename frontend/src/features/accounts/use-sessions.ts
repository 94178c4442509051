import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import {
  listSessionsOptions,
  listSessionsQueryKey,
  revokeOtherSessionsMutation,
  revokeSessionMutation,
} from "~/api/@tanstack/react-query.gen"

/** The account's sessions, refetched on every mount. */
export function useSessions() {
  return useQuery({ ...listSessionsOptions(), refetchOnMount: "always" })
}

// Refetched after failures too: the session may have ended in the meantime.
export function useRevokeSession() {
  const cache = useQueryClient()
  return useMutation({
    ...revokeSessionMutation(),
    onSettled: () => cache.invalidateQueries({ queryKey: listSessionsQueryKey() }),
  })
}

export function useRevokeOtherSessions() {
  const cache = useQueryClient()
  return useMutation({
    ...revokeOtherSessionsMutation(),
    onSettled: () => cache.invalidateQueries({ queryKey: listSessionsQueryKey() }),
  })
}
