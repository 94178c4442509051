import type { DriverSummaryOut } from "~/api/types.gen"
import { latestVerification } from "~/entities/driver/driver"
import { compareNames } from "~/lib/collation"

export type SortKey = "firstName" | "lastName" | "licenseNumber" | "status"
export type DriverSort = { key: SortKey; descending: boolean } | null

// Sorted by urgency, so that the withheld ones come together, first.
const statusPriority: Record<DriverSummaryOut["status"], number> = {
  invalid: 0,
  attention: 1,
  not_found: 2,
  unknown: 3,
  valid: 4,
}

const comparators: Record<SortKey, (a: DriverSummaryOut, b: DriverSummaryOut) => number> = {
  firstName: (a, b) => compareNames(a.firstName, b.firstName),
  lastName: (a, b) => compareNames(a.lastName, b.lastName),
  licenseNumber: (a, b) => compareNames(a.licenseNumber, b.licenseNumber),
  status: (a, b) => statusPriority[latestStatus(a)] - statusPriority[latestStatus(b)],
}

/** Sorts by the selected column; ties are ordered by last and first name in both directions. */
export function sortDrivers(
  drivers: readonly DriverSummaryOut[],
  sort: DriverSort,
): DriverSummaryOut[] {
  if (!sort) return [...drivers]
  const compare = comparators[sort.key]
  const sign = sort.descending ? -1 : 1
  return [...drivers].sort(
    (a, b) =>
      sign * compare(a, b) ||
      compareNames(a.lastName, b.lastName) ||
      compareNames(a.firstName, b.firstName),
  )
}

/** The sort after a click on a column header: ascending first, then descending. */
export function toggleSort(sort: DriverSort, key: SortKey): DriverSort {
  return { key, descending: sort?.key === key && !sort.descending }
}

function latestStatus(driver: DriverSummaryOut): DriverSummaryOut["status"] {
  return latestVerification(driver)?.status ?? driver.status
}
