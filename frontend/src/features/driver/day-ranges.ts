/** The last 365 days of one driver, with and without a check. */

import type { CheckedDayOut } from "~/api/types.gen"
import { daysBefore } from "~/lib/dates"

export const stripDays = 365

export type DayStatus = CheckedDayOut["status"] | "none"
export type StripDay = { day: string; status: DayStatus }
export type DayRange = { first: string; last: string; status: DayStatus }

/** Every day through `today`, oldest first; those without a check are `none`. */
export function fillDays(checked: readonly CheckedDayOut[], today: string): StripDay[] {
  const statuses = new Map(checked.map(({ day, status }) => [day, status]))
  return Array.from({ length: stripDays }, (_, index) => {
    const day = daysBefore(today, stripDays - 1 - index)
    return { day, status: statuses.get(day) ?? "none" }
  })
}

/** Days one after another with the same status, newest first. */
export function dayRanges(days: readonly StripDay[]): DayRange[] {
  const ranges: DayRange[] = []
  for (const { day, status } of days) {
    const latest = ranges.at(-1)
    if (latest?.status === status) latest.last = day
    else ranges.push({ first: day, last: day, status })
  }
  return ranges.reverse()
}

/** How many days have each status; statuses without a day are left out. */
export function countDays(days: readonly StripDay[]): { status: DayStatus; days: number }[] {
  const order: DayStatus[] = ["valid", "invalid", "attention", "not_found", "none"]
  return order
    .map((status) => ({ status, days: days.filter((one) => one.status === status).length }))
    .filter((count) => count.days > 0)
}

/** The weekday of a day, 0 for Monday. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}
