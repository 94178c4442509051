/** The progress of today's check of a company, derived from the drivers' results. */

import type { DriverSummaryOut } from "~/api/types.gen"
import { latestVerification } from "~/entities/driver/driver"
import { isBeforeAsOfSwitch, warsawDate } from "~/lib/dates"

export type CheckProgress = {
  /** `pending`: the day's check is still to come; `late`: it should be over. */
  state: "current" | "running" | "pending" | "late" | "stale"
  /** Of the drivers within the plan's limit. */
  checked: number
  total: number
}

/** `stale`: some results are older than 48 hours, or checking has stopped. */
export function checkProgress(
  drivers: readonly DriverSummaryOut[],
  now: number,
  stale: boolean,
): CheckProgress {
  const monitored = drivers.filter(({ overLimit }) => !overLimit)
  const times = monitored.flatMap((driver) => latestVerification(driver)?.verifiedAt ?? [])
  const today = warsawDate(now)
  const checked = times.filter((time) => warsawDate(Date.parse(time)) === today).length
  const counts = { checked, total: monitored.length }
  if (stale) return { state: "stale", ...counts }
  if (checked === monitored.length) return { state: "current", ...counts }
  if (isBeforeAsOfSwitch(now)) return { state: checked > 0 ? "running" : "pending", ...counts }
  // Drivers added during the day are checked within minutes; the others should have been by now.
  return { state: checked === times.length ? "running" : "late", ...counts }
}
