import { type MutationMeta, queryOptions, useMutation, useQuery } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  getPushSettingsOptions,
  getPushSettingsQueryKey,
  removePushBrowserMutation,
} from "~/api/@tanstack/react-query.gen"
import { removePushBrowser, renewPush, subscribePush } from "~/api/sdk.gen"
import { useIsImpersonated } from "~/hooks/use-user"
import { errorMessage } from "~/lib/error-messages"
import { queryClient } from "~/lib/query-client"
import {
  createSubscription,
  endSubscription,
  findSubscription,
  NotificationsBlockedError,
} from "./push-browser"

const hour = 3_600_000

/**
 * The id under which the server sends messages to this browser; null where they are off. Asking
 * binds them to the present session, because they stop with the session they are bound to.
 */
const ownBrowserQuery = queryOptions<string | null>({
  queryKey: ["ownPushBrowser"],
  queryFn: async () => {
    const subscription = await findSubscription()
    if (!subscription) return null
    const { data, error, response } = await renewPush({
      body: { endpoint: subscription.endpoint },
      throwOnError: false,
    })
    if (data) return data.id
    if (response?.status === 404 || response?.status === 503) return null
    throw error
  },
})

/** Keeps the messages of this browser bound to the present session, wherever the panel is open. */
export function usePushRenewal(): void {
  const enabled = !useIsImpersonated()
  useQuery({ ...ownBrowserQuery, enabled, refetchInterval: hour })
}

export function useOwnPushBrowser() {
  const enabled = !useIsImpersonated()
  return useQuery({ ...ownBrowserQuery, enabled, refetchOnMount: "always" })
}

export function usePushSettings() {
  const enabled = !useIsImpersonated()
  return useQuery({ ...getPushSettingsOptions(), enabled, refetchOnMount: "always" })
}

/** Switches messages on in this browser. */
export function useSubscribePush() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: async (serverKey: string) => {
      const body = await createSubscription(serverKey)
      try {
        await subscribePush({ body, throwOnError: true })
      } catch (error) {
        await endSubscription()
        throw error
      }
    },
    meta: { ...useFailure(), done: t("notifications.push.on") },
    onSettled: refresh,
  })
}

/** Switches messages off in this browser. */
export function useUnsubscribePush() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: async (id: string) => {
      await removePushBrowser({ path: { browser_id: id }, throwOnError: true })
      await endSubscription()
    },
    meta: { ...useFailure(), done: t("notifications.push.off") },
    onSettled: refresh,
  })
}

/** Switches messages off in another browser. */
export function useRemovePushBrowser() {
  return useMutation({
    ...removePushBrowserMutation(),
    meta: useFailure(),
    onSettled: refresh,
  })
}

function useFailure(): MutationMeta {
  const { t } = useTranslation()
  return {
    failed: (error) =>
      error instanceof NotificationsBlockedError
        ? t("notifications.push.blocked")
        : errorMessage(t, error, t("notifications.push.noService")),
    failedCall: t("notifications.push.failed"),
  }
}

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: getPushSettingsQueryKey() }),
    queryClient.invalidateQueries({ queryKey: ownBrowserQuery.queryKey }),
  ])
