import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  changeLimitMutation,
  createCheckoutSessionMutation,
  getSubscriptionQueryKey,
} from "~/api/@tanstack/react-query.gen"
import type { ChangeLimitIn, SubscriptionOut } from "~/api/types.gen"
import { useExternalRedirect } from "~/hooks/use-external-redirect"
import { formatDate } from "~/lib/dates"
import { errorMessage } from "~/lib/error-messages"
import { showToast } from "~/ui/toasts"
import { successPath } from "./payment-paths"

export type PaymentRequest = Pick<ChangeLimitIn, "method" | "blikCode">

/** Orders a period or changes the limit alone, then redirects to the payment if there is one. */
export function usePlaceOrder(subscription: SubscriptionOut) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const { redirect, redirecting } = useExternalRedirect()

  const onFailed = (error: unknown, fallback: string) => {
    showToast({
      tone: "error",
      title: t("subscription.toast.error"),
      description: errorMessage(t, error, fallback),
    })
    // The order may have been stored before its payment was refused.
    void cache.invalidateQueries({ queryKey: getSubscriptionQueryKey() })
  }
  const redirectToPayment = (url: string) => {
    void cache.invalidateQueries({ queryKey: getSubscriptionQueryKey() })
    redirect(url)
  }

  const checkout = useMutation({
    ...createCheckoutSessionMutation(),
    onSuccess: ({ url }) =>
      url ? redirectToPayment(url) : onFailed(undefined, t("subscription.order.failed")),
    onError: (error) => onFailed(error, t("subscription.order.failed")),
  })
  const limitChange = useMutation({
    ...changeLimitMutation(),
    onSuccess: (changed, { body }) => {
      cache.setQueryData(getSubscriptionQueryKey(), changed.subscription)
      if (changed.url) return redirectToPayment(changed.url)
      const { nextLimit, nextLimitAt, openOrder } = changed.subscription
      // The saved card is being charged, and its bank has not answered yet.
      if (changed.orderId && openOrder?.id === changed.orderId) {
        return redirect(successPath(changed.orderId))
      }
      showToast({
        title: t("subscription.toast.success"),
        description:
          nextLimitAt && nextLimit === body.driverLimit
            ? t("subscription.order.downgraded", { date: formatDate(nextLimitAt) })
            : t("subscription.order.upgraded"),
      })
    },
    onError: (error) => onFailed(error, t("subscription.order.changeFailed")),
  })

  return {
    orderPeriod: (driverLimit: number, payment: PaymentRequest) =>
      checkout.mutate({ body: { driverLimit, ...subscription.user, ...payment } }),
    changeLimit: (driverLimit: number, payment: PaymentRequest) =>
      limitChange.mutate({ body: { driverLimit, ...payment } }),
    pending: checkout.isPending || limitChange.isPending || redirecting,
    error: checkout.error ?? limitChange.error,
    /** The server created a payment session without a URL. */
    urlMissing: checkout.data !== undefined && !checkout.data.url,
    reset: () => {
      checkout.reset()
      limitChange.reset()
    },
  }
}
