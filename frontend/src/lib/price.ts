/**
 * The price of a subscription, computed as on the server (docs/rules.md). All amounts are whole
 * numbers of grosze. For display only: the server's quote is what is charged.
 */

export type Price = { net: number; vat: number; gross: number }

/** The driver limits that can be ordered (docs/rules.md R18). */
export const minDriverLimit = 5
export const maxDriverLimit = 10_000
export const driverLimitStep = 5

export const vatPercent = 23

const firstBlockNet = 149_00
const furtherBlockNet = 50_00

/** The price of a period of 30 days. Every started block of five drivers counts in full. */
export function periodPrice(drivers: number): Price {
  const furtherBlocks = Math.ceil(Math.max(drivers, driverLimitStep) / driverLimitStep) - 1
  const net = firstBlockNet + furtherBlocks * furtherBlockNet
  const vat = (net * vatPercent) / 100 // exact: every net price is a whole number of zloty
  return { net, vat, gross: net + vat }
}

/** The lowest limit that a company with this many drivers may order. */
export function minOrderableLimit(drivers: number): number {
  return Math.max(minDriverLimit, Math.ceil(drivers / driverLimitStep) * driverLimitStep)
}

/** Why no company can order this limit. A company's number of drivers may exclude more limits. */
export function limitRangeError(limit: number): "notWhole" | "tooLow" | "tooHigh" | undefined {
  if (!Number.isInteger(limit)) return "notWhole"
  if (limit < minDriverLimit) return "tooLow"
  return limit > maxDriverLimit ? "tooHigh" : undefined
}
