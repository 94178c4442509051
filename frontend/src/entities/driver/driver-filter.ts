/** The groups of drivers that the list shows and the dashboard counts (docs/rules.md P38a). */

import type { DriverSummaryOut } from "~/api/types.gen"
import { daysUntil } from "~/lib/dates"
import { attentionReasons } from "./document-status"
import { awaitsFirstCheck, latestVerification } from "./driver"
import { nextExpiryDay } from "./expiry"
import { isUnhandled, mayDrive } from "./may-drive"

export const driverFilters = [
  "all",
  "no",
  "unhandled",
  "check",
  "yes",
  "withheld",
  "attention",
  "expiring7",
  "expiring",
  "expiring90",
  "waiting",
  "valid",
] as const
export type DriverFilter = (typeof driverFilters)[number]

/** Within how many days something ends; each group includes those before it. */
export const expiryGroups = { expiring7: 7, expiring: 30, expiring90: 90 } as const
type ExpiryGroup = keyof typeof expiryGroups

export function isExpiryGroup(filter: DriverFilter): filter is ExpiryGroup {
  return filter in expiryGroups
}

/** The list with the drivers of one group. */
export function driverListPath(filter: DriverFilter): string {
  return `/panel/drivers?status=${filter}`
}

/** The groups of a driver besides all: several, as when one category is over and one soon will be. */
export function groupsOf(driver: DriverSummaryOut, today: string): DriverFilter[] {
  const reasons = attentionReasons(driver, today)
  const status = latestVerification(driver)?.status
  const groups: DriverFilter[] = [mayDrive(driver, today)]
  if (isUnhandled(driver, today)) groups.push("unhandled")
  if (status === "invalid") groups.push("withheld")
  if (reasons.some((reason) => reason !== "expires_soon")) groups.push("attention")
  const next = nextExpiryDay(latestVerification(driver), today)
  if (next) {
    const daysLeft = daysUntil(next, today)
    groups.push(
      ...driverFilters.filter((one) => isExpiryGroup(one) && daysLeft <= expiryGroups[one]),
    )
  }
  if (awaitsFirstCheck(driver)) groups.push("waiting")
  if (status === "valid") groups.push("valid")
  return groups
}

/** The drivers of every group, in the order of the list. */
export function groupDrivers(
  drivers: readonly DriverSummaryOut[],
  today: string,
): Record<DriverFilter, readonly DriverSummaryOut[]> {
  const groups: Record<DriverFilter, DriverSummaryOut[]> = {
    all: [...drivers],
    no: [],
    unhandled: [],
    check: [],
    yes: [],
    withheld: [],
    attention: [],
    expiring7: [],
    expiring: [],
    expiring90: [],
    waiting: [],
    valid: [],
  }
  for (const driver of drivers) {
    for (const group of groupsOf(driver, today)) groups[group].push(driver)
  }
  return groups
}
