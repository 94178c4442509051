/** Which drivers the list shows, by the search, and in which order. */

import type { DriverSummaryOut } from "~/api/types.gen"
import { isWithheld, latestVerification } from "~/entities/driver/driver"
import { hasExpiredCategory, nextExpiryDay } from "~/entities/driver/expiry"
import { mayDrive } from "~/entities/driver/may-drive"
import { compareNames, normaliseForSearch, searchWords } from "~/lib/letters"

/**
 * The drivers whose first name, last name or licence number contain every word of the query.
 */
export function filterDrivers(
  drivers: readonly DriverSummaryOut[],
  query: string,
): readonly DriverSummaryOut[] {
  const words = searchWords(query)
  if (words.length === 0) return drivers
  return drivers.filter(({ firstName, lastName, licenseNumber }) => {
    const text = normaliseForSearch(`${firstName} ${lastName} ${licenseNumber}`)
    return words.every((word) => text.includes(word))
  })
}

export const sortKeys = [
  "firstName",
  "lastName",
  "licenseNumber",
  "status",
  "validUntil",
  "categories",
  "lastVerification",
] as const
export type SortKey = (typeof sortKeys)[number]
export type DriverSort = { key: SortKey; descending: boolean } | null

// Of the drivers about whom something is to be found out.
const checkOrder: DriverSummaryOut["status"][] = ["attention", "not_found", "valid", "unknown"]

/** Behind every day and every category. */
const last = "~"

type Comparator = (a: DriverSummaryOut, b: DriverSummaryOut, today: string) => number

const comparators: Record<SortKey, Comparator> = {
  firstName: (a, b) => compareNames(a.firstName, b.firstName),
  lastName: (a, b) => compareNames(a.lastName, b.lastName),
  licenseNumber: (a, b) => compareNames(a.licenseNumber, b.licenseNumber),
  status: (a, b, today) => priority(a, today) - priority(b, today),
  validUntil: compareBy((driver) => latestVerification(driver)?.expiryDate ?? last),
  categories: compareBy(
    (driver) =>
      latestVerification(driver)
        ?.categories?.map(({ kategoria }) => kategoria)
        .join() || last,
  ),
  lastVerification: compareBy((driver) => latestVerification(driver)?.verifiedAt ?? ""),
}

function compareBy(read: (driver: DriverSummaryOut) => string): Comparator {
  return (a, b) => (read(a) < read(b) ? -1 : read(a) > read(b) ? 1 : 0)
}

/** Sorts by the selected column; ties are ordered by last and first name in both directions. */
export function sortDrivers(
  drivers: readonly DriverSummaryOut[],
  sort: DriverSort,
  today: string,
): DriverSummaryOut[] {
  if (!sort) return [...drivers]
  const compare = comparators[sort.key]
  const sign = sort.descending ? -1 : 1
  return [...drivers].sort(
    (a, b) =>
      sign * compare(a, b, today) ||
      compareNames(a.lastName, b.lastName) ||
      compareNames(a.firstName, b.firstName),
  )
}

/** Drivers in the order of their next expiry, the earliest first. */
export function sortByExpiry(
  drivers: readonly DriverSummaryOut[],
  today: string,
): DriverSummaryOut[] {
  const byExpiry = compareBy((driver) => nextExpiryDay(latestVerification(driver), today) ?? last)
  return [...drivers].sort((a, b) => byExpiry(a, b, today))
}

/** The sort after a click on a column header: ascending first, then descending. */
export function toggleSort(sort: DriverSort, key: SortKey): DriverSort {
  return { key, descending: sort?.key === key && !sort.descending }
}

/** By urgency: who may not drive, the withheld ones first, then what is to be found out. */
function priority(driver: DriverSummaryOut, today: string): number {
  const latest = latestVerification(driver)
  const answer = mayDrive(driver, today)
  if (answer === "no") return isWithheld(driver) ? 0 : 1
  if (answer === "check") return 2 + checkOrder.indexOf(latest?.status ?? "unknown")
  return hasExpiredCategory(latest, today) ? 6 : 7
}
