import { useQuery } from "@tanstack/react-query"
import { getSubscriptionOptions } from "~/api/@tanstack/react-query.gen"
import type { SubscriptionOut } from "~/api/types.gen"
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

/** Only `active` unlocks the drivers panel; the server already counts the end date in. */
export function isActive(subscription: SubscriptionOut | undefined): boolean {
  return subscription?.status === "active"
}

/** Whether the free trial may still be started: no plan now, and never tried before. */
export function mayTry(subscription: SubscriptionOut | undefined): boolean {
  return subscription !== undefined && !isActive(subscription) && subscription.trial === null
}
