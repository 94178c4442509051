import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { quoteOrderOptions } from "~/api/@tanstack/react-query.gen"
import type { SubscriptionOut } from "~/api/types.gen"
import { fieldProblems } from "~/shared/problem"
import { Refusal } from "~/shared/refusal"
import { useSettled } from "~/shared/use-settled"
import { limitProblem } from "./order-choice"
import { isPaid } from "./use-subscription"

/** While somebody holds the stepper, the server is not asked for every number it passes. */
const settledAfter = 250

/**
 * What the server says of the price of so many drivers. While a period runs only it knows; the
 * price of a newcomer's is known without it, so that nothing waits for it, and little fails with it.
 */
export function useQuote(limit: number, subscription: SubscriptionOut) {
  const running = isPaid(subscription)
  const asked = useSettled(limit, settledAfter)
  const sensible = limitProblem(limit, subscription.drivers) === undefined
  const { data, error, isError, isFetching, refetch } = useQuery({
    ...quoteOrderOptions({ query: { driverLimit: asked } }),
    enabled: limitProblem(asked, subscription.drivers) === undefined,
    placeholderData: keepPreviousData,
    staleTime: 0, // what a day costs depends on the day
  })
  const fresh = data?.driverLimit === limit ? data : undefined
  const quote = running ? data : fresh
  /** What the server has against this number itself. */
  const refused = asked === limit ? fieldProblems(error).driverLimit : undefined
  const failed = isError && !refused && (running || refusesOrders(error))

  return {
    quote,
    refused,
    /** Another limit alone; a change that is planned already is none. */
    change: limit === subscription.nextLimit ? null : (quote?.change ?? null),
    /** What is known is of the limit before this one, or nothing is known yet. */
    busy: running && sensible && !fresh && !isError,
    failure: failed ? { error, retrying: isFetching, retry: () => void refetch() } : null,
    priced: sensible && !failed && !refused && (!running || quote !== undefined),
  }
}

/** Nothing may be ordered at all, as while an operator has suspended the subscription. */
function refusesOrders(error: unknown): boolean {
  return error instanceof Refusal && error.status === 409
}
