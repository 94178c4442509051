import { type MutationMeta, useQuery } from "@tanstack/react-query"
import type { TFunction } from "i18next"
import { getSubscriptionOptions } from "~/api/@tanstack/react-query.gen"
import type { CompanyDetails, SubscriptionOut } from "~/api/types.gen"
import { refetchQueries } from "~/lib/cached-queries"
import { isUnauthenticated } from "~/lib/error-messages"

const staleTime = 60_000
const maxRetries = 3

/** The company's subscription: stale after a minute, refetched on mount, with three retries. */
export function useSubscription() {
  return useQuery({
    ...getSubscriptionOptions(),
    staleTime,
    refetchOnMount: true,
    retry: (failures, error) => failures < maxRetries && !isUnauthenticated(error),
  })
}

/** Refetches everything that a payment changes. */
export function refreshAfterPayment(): void {
  void refetchQueries("subscription", "user", "drivers", "invoices")
}

type SubscriptionStatus = Pick<SubscriptionOut, "status" | "isTrial" | "trial" | "endDate">

/** Only `active` unlocks the drivers panel; the server has already considered the end date. */
export function isActive(subscription: Pick<SubscriptionStatus, "status"> | undefined): boolean {
  return subscription?.status === "active"
}

/** Whether a paid period is running, as opposed to a trial. */
export function isPaidPeriodActive(subscription: SubscriptionStatus): boolean {
  return isActive(subscription) && !subscription.isTrial
}

/** Whether the free trial can be started: the company never had a plan or a trial. */
export function isTrialAvailable(subscription: SubscriptionStatus | undefined): boolean {
  return subscription !== undefined && subscription.endDate === null && subscription.trial === null
}

/** Whether the details suffice for an invoice, which every order requires. */
export function hasCompleteBillingDetails(details: CompanyDetails): boolean {
  const { companyName, taxId, street, postalCode, city } = details
  return [companyName, taxId, street, postalCode, city].every((text) => text.trim() !== "")
}

/** The toasts of orders, plan and billing details, with the titles of their own. */
export function orderOutcomes(t: TFunction, outcomes: MutationMeta): MutationMeta {
  return {
    ...outcomes,
    doneTitle: t("subscription.toast.success"),
    failedTitle: t("subscription.toast.error"),
  }
}
