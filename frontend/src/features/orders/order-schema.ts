/** The fields of the order form and their rules. */

import * as v from "valibot"
import type { MethodOut, QuoteOut, SubscriptionOut } from "~/api/types.gen"
import { vCheckoutIn, vPaymentMethod } from "~/api/valibot.gen"
import { limitRangeError, maxDriverLimit, minOrderableLimit } from "~/lib/price"

/** Charge the mandate that is already stored, instead of paying by one of the offered methods. */
export const savedMethod = "saved"

export type PaymentOption = MethodOut["method"] | typeof savedMethod

/** Change the limit alone, or order 30 more days, with or without another limit. */
export type PurchaseOption = "change" | "period"

export type LimitChange = NonNullable<QuoteOut["change"]>

/**
 * The rules for a company with so many drivers. `isCodeRequired` says whether the payment option
 * needs a BLIK code; no option is chosen until the user picks one.
 */
export const vOrderForm = (
  drivers: number,
  isCodeRequired: (method: PaymentOption | undefined) => boolean,
) =>
  v.pipe(
    v.object({
      driverLimit: v.pipe(
        vCheckoutIn.entries.driverLimit,
        v.minValue<number, number>(minOrderableLimit(drivers)),
      ),
      option: v.picklist(["change", "period"]),
      method: v.optional(v.union([vPaymentMethod, v.literal(savedMethod)])),
      blikCode: v.string(),
    }),
    v.forward(
      v.partialCheck(
        [["method"], ["blikCode"]],
        ({ method, blikCode }) => !isCodeRequired(method) || isBlikCode(blikCode),
      ),
      ["blikCode"],
    ),
  )

export type OrderFields = v.InferOutput<ReturnType<typeof vOrderForm>>

export type LimitError = "notWhole" | "tooLow" | "tooHigh" | "belowDrivers"

/** Why a company with so many drivers cannot order this limit. */
export function limitError(limit: number, drivers: number): LimitError | undefined {
  return limitRangeError(limit) ?? (limit < minOrderableLimit(drivers) ? "belowDrivers" : undefined)
}

/** The company's current or scheduled limit; for a new customer the planned or the lowest one. */
export function initialDriverLimit(subscription: SubscriptionOut, planned: number | null): number {
  const { nextLimit, driverLimit, isTrial, drivers } = subscription
  const current = nextLimit ?? ((!isTrial && driverLimit) || planned || 0)
  return Math.min(maxDriverLimit, Math.max(minOrderableLimit(drivers), minOrderableLimit(current)))
}

const isBlikCode = (code: string) => /^[0-9]{6}$/.test(code)

/** "123 456", as a banking app shows the code, → "123456". */
export const normaliseBlikCode = (text: string) => text.replace(/[^0-9]/g, "").slice(0, 6)
