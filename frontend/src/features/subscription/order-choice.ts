/** What an order form has to know before it asks the server for anything. Pure. */

import type { MethodOut, QuoteOut, SubscriptionOut } from "~/api/types.gen"
import { leastOrder, mostDrivers, rangeProblem } from "~/shared/price"

export type LimitProblem = "tooLow" | "tooHigh" | "belowDrivers"

/** Why a limit cannot be ordered by a company with so many drivers. */
export function limitProblem(limit: number, drivers: number): LimitProblem | undefined {
  return rangeProblem(limit) ?? (limit < leastOrder(drivers) ? "belowDrivers" : undefined)
}

/** Where the stepper begins: at what the company has, or will have; for a newcomer at the least. */
export function firstLimit(subscription: SubscriptionOut): number {
  const { nextLimit, driverLimit, isTrial, drivers } = subscription
  const had = nextLimit ?? (isTrial ? 0 : driverLimit)
  return Math.min(mostDrivers, Math.max(leastOrder(drivers), leastOrder(had)))
}

/** A change of the limit alone, or an order of 30 days that may change it, too. */
export type Purpose = "change" | "period"

export type Change = NonNullable<QuoteOut["change"]>

/** The card that is already known, beside the methods everybody has. */
export const savedMethod = "saved"

export type Payment = MethodOut["method"] | typeof savedMethod

export const isBlikCode = (code: string) => /^[0-9]{6}$/.test(code)

/** "123 456" as the bank's app shows it, → "123456". */
export const bareCode = (text: string) => text.replace(/[^0-9]/g, "").slice(0, 6)
