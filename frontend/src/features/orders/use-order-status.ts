import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { getOrderOptions } from "~/api/@tanstack/react-query.gen"
import { ApiError } from "~/lib/api-error"
import { isUnauthenticated } from "~/lib/error-messages"

const pollInterval = 2000
/** Milliseconds after which a payment counts as delayed and is polled less often. */
const usualDuration = 60_000
const delayedPollInterval = 10_000

/** One order, polled until its payment has succeeded or failed. */
export function useOrderStatus(id: string) {
  const [startedAt] = useState(() => Date.now())
  const order = useQuery({
    ...getOrderOptions({ path: { order_id: id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (
        state.data?.state !== "open" ||
        isOrderNotFound(state.error) ||
        isUnauthenticated(state.error)
      ) {
        return false
      }
      return state.dataUpdatedAt - startedAt < usualDuration ? pollInterval : delayedPollInterval
    },
  })
  return { order, delayed: order.dataUpdatedAt - startedAt >= usualDuration }
}

/** The order does not exist, or belongs to another company. */
export function isOrderNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
