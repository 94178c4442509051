import { useMutation, useQuery } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  confirmSecondFactorMutation,
  disableSecondFactorMutation,
  getSecondFactorOptions,
  getSecondFactorQueryKey,
  replaceRecoveryCodesMutation,
} from "~/api/@tanstack/react-query.gen"
import { refetchQueries } from "~/lib/cached-queries"
import { queryClient } from "~/lib/query-client"

/** The account's second factor, refetched on every mount. */
export function useSecondFactor() {
  return useQuery({ ...getSecondFactorOptions(), refetchOnMount: "always" })
}

// Every change also ends the other sessions, or changes the number of codes that are left.
const refetch = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: getSecondFactorQueryKey() }),
    refetchQueries("sessions"),
  ])

export function useConfirmSecondFactor() {
  return useMutation({ ...confirmSecondFactorMutation(), onSuccess: refetch })
}

export function useDisableSecondFactor() {
  const { t } = useTranslation()
  return useMutation({
    ...disableSecondFactorMutation(),
    meta: { done: t("accounts.secondFactor.disabled") },
    onSuccess: refetch,
  })
}

export function useReplaceRecoveryCodes() {
  return useMutation({ ...replaceRecoveryCodesMutation(), onSuccess: refetch })
}
