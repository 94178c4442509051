/**
 * What a subscription costs, as the server reckons it (spec, section 9). Every amount is a whole
 * number of grosze. Only a glance ahead: what is charged is the server's quote.
 */

export type Price = { net: number; vat: number; gross: number }

/** How many drivers may be ordered, and in what steps (reading R18). */
export const leastDrivers = 5
export const mostDrivers = 10_000
export const driverStep = 5

export const vatPercent = 23

const firstBlock = 149_00
const furtherBlock = 50_00

/** The price of one period of 30 days; a block of five is paid as soon as it is started. */
export function periodPrice(drivers: number): Price {
  const further = Math.ceil(Math.max(drivers, driverStep) / driverStep) - 1
  const net = firstBlock + further * furtherBlock
  const vat = (net * vatPercent) / 100 // a whole number, as every net is one of zloty
  return { net, vat, gross: net + vat }
}

/** The lowest limit that a company with so many drivers may order. */
export function leastOrder(drivers: number): number {
  return Math.max(leastDrivers, Math.ceil(drivers / driverStep) * driverStep)
}

/** Why nobody can order for so many drivers; a company's own list may ask for more yet. */
export function rangeProblem(limit: number): "tooLow" | "tooHigh" | undefined {
  if (limit < leastDrivers) return "tooLow"
  return limit > mostDrivers ? "tooHigh" : undefined
}
