import type { DriverOut } from "~/api/types.gen"
import { latestOf } from "~/shared/document-state"
import { compareNames } from "~/shared/names"

export type SortKey = "firstName" | "lastName" | "licenseNumber" | "status"
export type Sorting = { key: SortKey; descending: boolean } | null

// By urgency, not by alphabet: who sorts by status wants the withheld ones together.
const urgency: Record<DriverOut["status"], number> = {
  invalid: 0,
  attention: 1,
  not_found: 2,
  unknown: 3,
  valid: 4,
}

const comparisons: Record<SortKey, (a: DriverOut, b: DriverOut) => number> = {
  firstName: (a, b) => compareNames(a.firstName, b.firstName),
  lastName: (a, b) => compareNames(a.lastName, b.lastName),
  licenseNumber: (a, b) => compareNames(a.licenseNumber, b.licenseNumber),
  status: (a, b) => urgency[latestStatus(a)] - urgency[latestStatus(b)],
}

/** The drivers in the order asked for; equal ones by last and first name, both ways round. */
export function sortDrivers(drivers: readonly DriverOut[], sorting: Sorting): DriverOut[] {
  if (!sorting) return [...drivers]
  const compare = comparisons[sorting.key]
  const sign = sorting.descending ? -1 : 1
  return [...drivers].sort(
    (a, b) =>
      sign * compare(a, b) ||
      compareNames(a.lastName, b.lastName) ||
      compareNames(a.firstName, b.firstName),
  )
}

/** The order after a click on a column's header: ascending first, then the other way. */
export function nextSorting(sorting: Sorting, key: SortKey): Sorting {
  return { key, descending: sorting?.key === key && !sorting.descending }
}

function latestStatus(driver: DriverOut): DriverOut["status"] {
  return latestOf(driver)?.status ?? driver.status
}
