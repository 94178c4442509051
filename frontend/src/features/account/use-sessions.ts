import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  listSessionsOptions,
  revokeOtherSessionsMutation,
  revokeSessionMutation,
} from "~/api/@tanstack/react-query.gen"
import type { RevokeOtherSessionsResponse } from "~/api/types.gen"
import { refetchQueries } from "~/lib/cached-queries"

/** The account's sessions, refetched on every mount. */
export function useSessions() {
  return useQuery({ ...listSessionsOptions(), refetchOnMount: "always" })
}

// Refetched after failures too: the session may have ended in the meantime.
export function useRevokeSession() {
  const { t } = useTranslation()
  const cache = useQueryClient()
  return useMutation({
    ...revokeSessionMutation(),
    meta: {
      done: t("accounts.sessions.revoked", { count: 1 }),
      failed: t("accounts.sessions.failed"),
    },
    onSettled: () => refetchQueries(cache, "sessions"),
  })
}

export function useRevokeOtherSessions() {
  const { t } = useTranslation()
  const cache = useQueryClient()
  return useMutation({
    ...revokeOtherSessionsMutation(),
    meta: {
      done: ({ count }: RevokeOtherSessionsResponse) => t("accounts.sessions.revoked", { count }),
      failed: t("accounts.sessions.failed"),
    },
    onSettled: () => refetchQueries(cache, "sessions"),
  })
}
