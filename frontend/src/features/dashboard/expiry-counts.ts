/** How many drivers have a document or a category that expires soon. */

import type { DriverSummaryOut } from "~/api/types.gen"
import { driverStatus, latestVerification } from "~/entities/driver/driver"
import { daysUntil } from "~/lib/dates"

/** Each includes those before it. */
export const expiryDays = [7, 30, 90] as const

export type ExpiryCounts = Record<(typeof expiryDays)[number], number>

/** Of drivers whose status is valid today: of the others something else is to be settled first. */
export function countExpiring(drivers: readonly DriverSummaryOut[], today: string): ExpiryCounts {
  const next = drivers
    .filter((driver) => driverStatus(driver, today) === "valid")
    .map((driver) => daysToNextExpiry(driver, today))
  const within = (days: number) => next.filter((left) => left <= days).length
  return { 7: within(7), 30: within(30), 90: within(90) }
}

/** What has expired before today is not to come: it is said elsewhere. */
function daysToNextExpiry(driver: DriverSummaryOut, today: string): number {
  const latest = latestVerification(driver)
  const lastDays = [latest?.expiryDate, ...(latest?.categories ?? []).map((c) => c.dataWaznosci)]
  const left = lastDays.flatMap((day) => (day ? daysUntil(day, today) : []))
  return Math.min(...left.filter((days) => days >= 0))
}
