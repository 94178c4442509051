import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  changeLimitMutation,
  createCheckoutSessionMutation,
  getSubscriptionQueryKey,
} from "~/api/@tanstack/react-query.gen"
import type { ChangeLimitIn, CheckoutOut, CompanyDetails, LimitChangedOut } from "~/api/types.gen"
import { orderOutcomes } from "~/entities/subscription/use-subscription"
import { useExternalRedirect } from "~/hooks/use-external-redirect"
import { refetchQueries } from "~/lib/cached-queries"
import { formatDate } from "~/lib/dates"
import { queryClient } from "~/lib/query-client"
import { successPath } from "./payment-paths"

export type PaymentRequest = Pick<ChangeLimitIn, "method" | "blikCode">

/** Orders a period or changes the limit alone, then redirects to the payment if there is one. */
export function usePlaceOrder() {
  const { t } = useTranslation()
  const { redirect, redirecting } = useExternalRedirect()

  // After an error, too: the order may have been stored before its payment was refused.
  const refetch = () => void refetchQueries("subscription")
  const redirectToPayment = (url: string) => {
    refetch()
    redirect(url)
  }

  const checkout = useMutation({
    ...createCheckoutSessionMutation(),
    meta: orderOutcomes(t, {
      done: ({ url }: CheckoutOut) =>
        url
          ? undefined
          : {
              tone: "error",
              title: t("subscription.toast.error"),
              description: t("subscription.order.failed"),
            },
      failed: t("subscription.order.failed"),
    }),
    onSuccess: ({ url }) => (url ? redirectToPayment(url) : refetch()),
    onError: refetch,
  })
  const limitChange = useMutation({
    ...changeLimitMutation(),
    meta: orderOutcomes(t, {
      done: (changed: LimitChangedOut, { body }: { body: ChangeLimitIn }) => {
        const { nextLimit, nextLimitAt } = changed.subscription
        if (changed.url || isChargePending(changed)) return undefined
        return nextLimitAt && nextLimit === body.driverLimit
          ? t("subscription.order.downgraded", { date: formatDate(nextLimitAt) })
          : t("subscription.order.upgraded")
      },
      failed: t("subscription.order.changeFailed"),
    }),
    onSuccess: (changed) => {
      queryClient.setQueryData(getSubscriptionQueryKey(), changed.subscription)
      if (changed.url) return redirectToPayment(changed.url)
      if (changed.orderId && isChargePending(changed)) redirect(successPath(changed.orderId))
    },
    onError: refetch,
  })

  return {
    orderPeriod: (driverLimit: number, payment: PaymentRequest, details: CompanyDetails) =>
      checkout.mutate({ body: { driverLimit, ...details, ...payment } }),
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

/** The saved card is being charged, and its bank has not answered yet. */
function isChargePending({ orderId, subscription }: LimitChangedOut): boolean {
  return Boolean(orderId) && subscription.openOrder?.id === orderId
}
