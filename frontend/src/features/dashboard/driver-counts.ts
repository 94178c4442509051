import type { DriverSummaryOut } from "~/api/types.gen"
import { latestVerification } from "~/entities/driver/driver"

export type DriverCounts = { drivers: number; valid: number; withheld: number }

/** The three counts of the dashboard. A driver without a verification counts in the first only. */
export function countDrivers(drivers: readonly DriverSummaryOut[]): DriverCounts {
  const countWithStatus = (status: "valid" | "invalid") =>
    drivers.filter((driver) => latestVerification(driver)?.status === status).length
  return {
    drivers: drivers.length,
    valid: countWithStatus("valid"),
    withheld: countWithStatus("invalid"),
  }
}
