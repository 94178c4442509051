/** The groups of drivers that the list shows and the dashboard counts (docs/rules.md P38a). */

import type { DriverSummaryOut } from "~/api/types.gen"
import { attentionReasons } from "~/entities/driver/document-status"
import { awaitsFirstCheck, driverStatus } from "~/entities/driver/driver"

export const driverFilters = [
  "all",
  "withheld",
  "attention",
  "expiring",
  "waiting",
  "valid",
] as const
export type DriverFilter = (typeof driverFilters)[number]

/** The list with the drivers of one group. */
export function driverListPath(filter: DriverFilter): string {
  return `/panel/drivers?status=${filter}`
}

/** The groups of a driver besides all: several, as when one category is over and one soon will be. */
export function groupsOf(driver: DriverSummaryOut, today: string): DriverFilter[] {
  const reasons = attentionReasons(driver, today)
  const status = driverStatus(driver, today)
  const groups: DriverFilter[] = []
  if (status === "invalid") groups.push("withheld")
  if (reasons.some((reason) => reason !== "expires_soon")) groups.push("attention")
  if (reasons.includes("expires_soon")) groups.push("expiring")
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
    withheld: [],
    attention: [],
    expiring: [],
    waiting: [],
    valid: [],
  }
  for (const driver of drivers) {
    for (const group of groupsOf(driver, today)) groups[group].push(driver)
  }
  return groups
}
