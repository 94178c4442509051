import * as v from "valibot"
import type { OrderOut } from "~/api/types.gen"
import { vPaymentMethod } from "~/api/valibot.gen"
import { limitRangeError } from "~/lib/price"

/** The screens that wait for an order's payment and report its result. */

export const successPath = (orderId: string) =>
  `/panel/subscription/success?order=${encodeURIComponent(orderId)}`

export const failedPath = (orderId: string) =>
  `/panel/subscription/failed?order=${encodeURIComponent(orderId)}`

/** The order form with the choices of an order that was not paid. */
export const retryPath = ({ driverLimit, method }: Pick<OrderOut, "driverLimit" | "method">) =>
  `/panel/subscription?limit=${driverLimit}&method=${method}`

/** The choices in the address of `retryPath`; undefined where there is none, or no valid one. */
export function retriedChoices(search: URLSearchParams) {
  const limit = Number(search.get("limit") ?? Number.NaN)
  return {
    driverLimit: limitRangeError(limit) ? undefined : limit,
    method: v.is(vPaymentMethod, search.get("method"))
      ? v.parse(vPaymentMethod, search.get("method"))
      : undefined,
  }
}
