import { type QueryClient, useQuery } from "@tanstack/react-query"
import {
  getCheckSummaryQueryKey,
  getSubscriptionOptions,
  getSubscriptionQueryKey,
  getUserQueryKey,
  listDriversQueryKey,
  listInvoicesQueryKey,
} from "~/api/@tanstack/react-query.gen"
import type { CompanyDetails, SubscriptionOut } from "~/api/types.gen"
import { isSignedOut } from "~/shared/problem"

const freshFor = 60_000
const tries = 3

/** The company's subscription: fresh for a minute, asked for on every mount, tried three times more. */
export function useSubscription() {
  return useQuery({
    ...getSubscriptionOptions(),
    staleTime: freshFor,
    refetchOnMount: true,
    retry: (failures, error) => failures < tries && !isSignedOut(error),
  })
}

/** Asks anew for whatever a payment changes. */
export function refreshAfterPayment(cache: QueryClient): void {
  for (const queryKey of [
    getSubscriptionQueryKey(),
    getUserQueryKey(),
    listDriversQueryKey(),
    getCheckSummaryQueryKey(),
    listInvoicesQueryKey(),
  ]) {
    void cache.invalidateQueries({ queryKey })
  }
}

type Known = Pick<SubscriptionOut, "status" | "isTrial" | "trial" | "endDate">

/** Only `active` unlocks the drivers panel; the server already counts the end date in. */
export function isActive(subscription: Pick<Known, "status"> | undefined): boolean {
  return subscription?.status === "active"
}

/** Whether a period that was paid for is running. */
export function isPaid(subscription: Known): boolean {
  return isActive(subscription) && !subscription.isTrial
}

/** Whether the free trial may still be started: by who never had a plan, nor a trial. */
export function mayTry(subscription: Known | undefined): boolean {
  return subscription !== undefined && subscription.endDate === null && subscription.trial === null
}

/** Whether an invoice could be written: nothing may be ordered before. */
export function isComplete(details: CompanyDetails): boolean {
  const { companyName, taxId, street, postalCode, city } = details
  return [companyName, taxId, street, postalCode, city].every((text) => text.trim() !== "")
}
