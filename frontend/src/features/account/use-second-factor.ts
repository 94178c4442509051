import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  confirmSecondFactorMutation,
  disableSecondFactorMutation,
  getSecondFactorOptions,
  getSecondFactorQueryKey,
  replaceRecoveryCodesMutation,
} from "~/api/@tanstack/react-query.gen"
import { refetchQueries } from "~/lib/cached-queries"

/** The account's second factor, refetched on every mount. */
export function useSecondFactor() {
  return useQuery({ ...getSecondFactorOptions(), refetchOnMount: "always" })
}

// Every change also ends the other sessions, or changes the number of codes that are left.
function useRefetch(): () => Promise<unknown> {
  const cache = useQueryClient()
  return () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: getSecondFactorQueryKey() }),
      refetchQueries(cache, "sessions"),
    ])
}

export function useConfirmSecondFactor() {
  const refetch = useRefetch()
  return useMutation({ ...confirmSecondFactorMutation(), onSuccess: refetch })
}

export function useDisableSecondFactor() {
  const { t } = useTranslation()
  const refetch = useRefetch()
  return useMutation({
    ...disableSecondFactorMutation(),
    meta: { done: t("accounts.secondFactor.disabled") },
    onSuccess: refetch,
  })
}

export function useReplaceRecoveryCodes() {
  const refetch = useRefetch()
  return useMutation({ ...replaceRecoveryCodesMutation(), onSuccess: refetch })
}
