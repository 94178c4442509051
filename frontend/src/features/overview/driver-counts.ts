import type { DriverSummaryOut } from "~/api/types.gen"
import {
  awaitsFirstCheck,
  categoryProblems,
  driverStatus,
  latestVerification,
} from "~/entities/driver/driver"
import { hasExpiredCategory } from "~/entities/driver/expiry"

export type DriverCounts = {
  drivers: number
  valid: number
  withheld: number
  /** Those of `valid` with a category that has expired. */
  expiredCategory: number
  /** Drivers with a valid document, but without a category that the company needs; not in `valid`. */
  neededCategory: number
  /** Drivers whose first check has not been made yet, without those over the plan's limit. */
  unchecked: number
  /** Whether a result exists at all. */
  anyChecked: boolean
}

/** The counts of the dashboard. A driver without a verification counts in `drivers` only. */
export function countDrivers(drivers: readonly DriverSummaryOut[], today: string): DriverCounts {
  const withStatus = (status: "valid" | "invalid") =>
    drivers.filter((driver) => driverStatus(driver, today) === status)
  const valid = withStatus("valid")
  return {
    drivers: drivers.length,
    valid: valid.length,
    withheld: withStatus("invalid").length,
    expiredCategory: valid.filter((driver) => hasExpiredCategory(latestVerification(driver), today))
      .length,
    neededCategory: drivers.filter((driver) => categoryProblems(driver, today).length > 0).length,
    unchecked: drivers.filter(awaitsFirstCheck).length,
    anyChecked: drivers.some(latestVerification),
  }
}
