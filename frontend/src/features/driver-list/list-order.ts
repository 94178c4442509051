/** Which drivers the list shows, by the search, and in which order. */

import type { DriverSummaryOut } from "~/api/types.gen"
import { isWithheld, latestVerification } from "~/entities/driver/driver"
import { hasExpiredCategory, nextExpiryDay } from "~/entities/driver/expiry"
import { mayDrive } from "~/entities/driver/may-drive"
import { compareNames, nameKey, normaliseForSearch, searchWords } from "~/lib/letters"

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
export type DriverSort = { key: SortKey; descending: boolean }

/** What people see first of a driver: who may not drive. */
export const defaultSort: DriverSort = { key: "status", descending: false }

// Of the drivers about whom something is to be found out.
const checkOrder: DriverSummaryOut["status"][] = ["attention", "not_found", "valid", "unknown"]

/** Behind every day and every category. */
const last = "~"

type Value = string | number

const values: Record<SortKey, (driver: DriverSummaryOut, today: string) => Value> = {
  firstName: ({ firstName }) => nameKey(firstName),
  lastName: ({ lastName }) => nameKey(lastName),
  licenseNumber: ({ licenseNumber }) => nameKey(licenseNumber),
  status: priority,
  validUntil: (driver) => latestVerification(driver)?.expiryDate ?? last,
  categories: (driver) =>
    latestVerification(driver)
      ?.categories?.map(({ kategoria }) => kategoria)
      .join() || last,
  lastVerification: (driver) => latestVerification(driver)?.verifiedAt ?? "",
}

/** Sorts by the selected column; ties are ordered by last and first name in both directions. */
export function sortDrivers(
  drivers: readonly DriverSummaryOut[],
  { key, descending }: DriverSort,
  today: string,
): DriverSummaryOut[] {
  const compare = compareBy(drivers, (driver) => values[key](driver, today))
  const sign = descending ? -1 : 1
  return [...drivers].sort(
    (a, b) =>
      sign * compare(a, b) ||
      compareNames(a.lastName, b.lastName) ||
      compareNames(a.firstName, b.firstName),
  )
}

/** Drivers in the order of their next expiry, the earliest first. */
export function sortByExpiry(
  drivers: readonly DriverSummaryOut[],
  today: string,
): DriverSummaryOut[] {
  const nextExpiry = (driver: DriverSummaryOut) => nextExpiryDay(latestVerification(driver), today)
  return [...drivers].sort(compareBy(drivers, (driver) => nextExpiry(driver) ?? last))
}

/** Compares drivers by a value that is read once of each. */
function compareBy(
  drivers: readonly DriverSummaryOut[],
  read: (driver: DriverSummaryOut) => Value,
): (a: DriverSummaryOut, b: DriverSummaryOut) => number {
  const known = new Map(drivers.map((driver) => [driver, read(driver)]))
  return (a, b) => {
    const [value, other] = [known.get(a) ?? last, known.get(b) ?? last]
    return value < other ? -1 : value > other ? 1 : 0
  }
}

/** The sort after a click on a column header: ascending first, then descending. */
export function toggleSort(sort: DriverSort | null, key: SortKey): DriverSort {
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
