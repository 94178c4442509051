import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { quoteOrderOptions } from "~/api/@tanstack/react-query.gen"
import type { SubscriptionOut } from "~/api/types.gen"
import { isPaidPeriodActive } from "~/entities/subscription/use-subscription"
import { useDebouncedValue } from "~/hooks/use-debounced-value"
import { ApiError } from "~/lib/api-error"
import { fieldErrors } from "~/lib/error-messages"
import { limitError } from "./order-schema"

/** Milliseconds; a held stepper button must not send a request for every value it passes. */
const debounceDelay = 250

/**
 * The server's quote for a driver limit. During a paid period only the server knows the price. For
 * a new customer the browser can compute it, so the form neither waits for the quote nor, in most
 * cases, fails with it.
 */
export function useQuote(limit: number, subscription: SubscriptionOut) {
  const inPaidPeriod = isPaidPeriodActive(subscription)
  const quotedLimit = useDebouncedValue(limit, debounceDelay)
  const isValid = limitError(limit, subscription.drivers) === undefined
  const query = useQuery({
    ...quoteOrderOptions({ query: { driverLimit: quotedLimit } }),
    enabled: limitError(quotedLimit, subscription.drivers) === undefined,
    placeholderData: keepPreviousData,
    staleTime: 0, // the price of the remaining days changes every day
  })
  const { data, error, isError } = query
  const current = data?.driverLimit === limit ? data : undefined
  const quote = inPaidPeriod ? data : current
  const limitServerError = quotedLimit === limit ? fieldErrors(error).driverLimit : undefined
  const failed = isError && !limitServerError && (inPaidPeriod || refusesOrders(error))

  return {
    query,
    quote,
    /** The server's error about this limit. */
    limitServerError,
    /** A change of the limit alone; null if the limit is scheduled already. */
    change: limit === subscription.nextLimit ? null : (quote?.change ?? null),
    /** The quote belongs to the previous limit, or there is none yet. */
    isUpdating: inPaidPeriod && isValid && !current && !isError,
    failed,
    /** No price can be named for this limit: the summary keeps its place without amounts. */
    isUnknown: !isValid || limitServerError !== undefined,
    hasPrice: !failed && (!inPaidPeriod || quote !== undefined),
  }
}

/** The company may not order at all, as when an operator has suspended the subscription. */
function refusesOrders(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409
}
