import type { DriverSummaryOut } from "~/api/types.gen"
import { attentionReasons } from "~/entities/driver/document-status"
import { awaitsFirstCheck, categoryProblems, latestVerification } from "~/entities/driver/driver"
import { isUnhandled, type MayDrive, mayDrive } from "~/entities/driver/may-drive"

export type DriverCounts = {
  drivers: number
  valid: number
  withheld: number
  /** Those of `valid` with a category that has expired and is not needed. */
  expiredCategory: number
  /** Those of `valid` without a category that the company needs. */
  neededCategory: number
  /** Who may drive today; together all drivers. */
  mayDrive: Record<MayDrive, number>
  /** Those of `no` whom nobody has taken off the road. */
  unhandled: number
  /** Drivers whose first check has not been made yet, without those over the plan's limit. */
  unchecked: number
  /** Whether a result exists at all. */
  anyChecked: boolean
}

/** The counts of the dashboard. A driver without a verification counts in `drivers` only. */
export function countDrivers(drivers: readonly DriverSummaryOut[], today: string): DriverCounts {
  const withStatus = (status: "valid" | "invalid") =>
    drivers.filter((driver) => latestVerification(driver)?.status === status)
  const valid = withStatus("valid")
  const answers = { no: 0, check: 0, yes: 0 }
  for (const driver of drivers) answers[mayDrive(driver, today)] += 1
  return {
    drivers: drivers.length,
    valid: valid.length,
    withheld: withStatus("invalid").length,
    expiredCategory: valid.filter((driver) =>
      attentionReasons(driver, today).includes("category_expired"),
    ).length,
    neededCategory: valid.filter((driver) => categoryProblems(driver, today).length > 0).length,
    mayDrive: answers,
    unhandled: drivers.filter((one) => isUnhandled(one, today)).length,
    unchecked: drivers.filter(awaitsFirstCheck).length,
    anyChecked: drivers.some(latestVerification),
  }
}
