import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  changeLimitMutation,
  createCheckoutSessionMutation,
  getSubscriptionQueryKey,
} from "~/api/@tanstack/react-query.gen"
import type { ChangeLimitIn, SubscriptionOut } from "~/api/types.gen"
import { formatDate } from "~/shared/dates"
import { useLeave } from "~/shared/leave"
import { problemSentence } from "~/shared/problem"
import { showToast } from "~/ui/toasts"

/** Where an order's payment is waited for. */
export const successPath = (orderId: string) =>
  `/panel/subscription/success?order=${encodeURIComponent(orderId)}`

export type Paying = Pick<ChangeLimitIn, "method" | "blikCode">

/** Orders a period, or another limit alone, and goes on to wherever it is paid. */
export function useOrder(subscription: SubscriptionOut) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const { leave, leaving } = useLeave()

  const refused = (error: unknown, fallback: string) => {
    showToast({
      tone: "error",
      title: t("subscription.toast.error"),
      description: problemSentence(t, error, fallback),
    })
    // It may have been written down before its payment was refused.
    void cache.invalidateQueries({ queryKey: getSubscriptionQueryKey() })
  }
  const pay = (url: string) => {
    void cache.invalidateQueries({ queryKey: getSubscriptionQueryKey() })
    leave(url)
  }

  const checkout = useMutation({
    ...createCheckoutSessionMutation(),
    onSuccess: ({ url }) => (url ? pay(url) : refused(undefined, t("subscription.order.failed"))),
    onError: (error) => refused(error, t("subscription.order.failed")),
  })
  const change = useMutation({
    ...changeLimitMutation(),
    onSuccess: (changed, { body }) => {
      cache.setQueryData(getSubscriptionQueryKey(), changed.subscription)
      if (changed.url) return pay(changed.url)
      const { nextLimit, nextLimitAt, openOrder } = changed.subscription
      // The saved card was asked, and its bank has not answered yet.
      if (changed.orderId && openOrder?.id === changed.orderId) {
        return leave(successPath(changed.orderId))
      }
      showToast({
        title: t("subscription.toast.success"),
        description:
          nextLimitAt && nextLimit === body.driverLimit
            ? t("subscription.order.downgraded", { date: formatDate(nextLimitAt) })
            : t("subscription.order.upgraded"),
      })
    },
    onError: (error) => refused(error, t("subscription.order.changeFailed")),
  })

  return {
    orderPeriod: (driverLimit: number, paying: Paying) =>
      checkout.mutate({ body: { driverLimit, ...subscription.user, ...paying } }),
    changeLimit: (driverLimit: number, paying: Paying) =>
      change.mutate({ body: { driverLimit, ...paying } }),
    pending: checkout.isPending || change.isPending || leaving,
    error: checkout.error ?? change.error,
    /** A payment session without an address to pay at. */
    nowhere: checkout.data !== undefined && !checkout.data.url,
    forget: () => {
      checkout.reset()
      change.reset()
    },
  }
}
