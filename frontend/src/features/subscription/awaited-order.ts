import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { getOrderOptions } from "~/api/@tanstack/react-query.gen"
import { isSignedOut } from "~/shared/problem"
import { Refusal } from "~/shared/refusal"

const askedEvery = 2000
/** After so long the waiting is no longer usual, and the questions become rarer. */
const usual = 60_000
const askedRarelyEvery = 10_000

/** One order, asked for until its payment has ended one way or the other. */
export function useAwaitedOrder(id: string) {
  const [since] = useState(() => Date.now())
  const order = useQuery({
    ...getOrderOptions({ path: { order_id: id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.data?.state !== "open" || isUnknown(state.error) || isSignedOut(state.error)) {
        return false
      }
      return state.dataUpdatedAt - since < usual ? askedEvery : askedRarelyEvery
    },
  })
  return { order, long: order.dataUpdatedAt - since >= usual }
}

/** The order is nobody's, or not the reader's. */
export function isUnknown(error: unknown): boolean {
  return error instanceof Refusal && error.status === 404
}
