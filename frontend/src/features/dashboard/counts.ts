import type { DriverOut } from "~/api/types.gen"
import { latestOf } from "~/shared/document-state"

export type Counts = { drivers: number; valid: number; withheld: number }

/** The three numbers of the dashboard; a driver without a verification is only in the first. */
export function countDrivers(drivers: readonly DriverOut[]): Counts {
  const withLatest = (status: "valid" | "invalid") =>
    drivers.filter((driver) => latestOf(driver)?.status === status).length
  return { drivers: drivers.length, valid: withLatest("valid"), withheld: withLatest("invalid") }
}
