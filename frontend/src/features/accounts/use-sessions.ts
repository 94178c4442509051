import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import {
  listSessionsOptions,
  listSessionsQueryKey,
  revokeOtherSessionsMutation,
  revokeSessionMutation,
} from "~/api/@tanstack/react-query.gen"

/** Where the account is signed in, as it is whenever somebody looks. */
export function useSessions() {
  return useQuery({ ...listSessionsOptions(), refetchOnMount: "always" })
}

// Also after a failure: the session may have ended by itself meanwhile.
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
