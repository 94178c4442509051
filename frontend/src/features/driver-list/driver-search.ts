import type { DriverSummaryOut } from "~/api/types.gen"
import { normaliseForSearch } from "~/lib/collation"

/** The drivers whose first name, last name or licence number contain every word of the query. */
export function filterDrivers(
  drivers: readonly DriverSummaryOut[],
  query: string,
): readonly DriverSummaryOut[] {
  const words = normaliseForSearch(query).split(" ").filter(Boolean)
  if (words.length === 0) return drivers
  return drivers.filter(({ firstName, lastName, licenseNumber }) => {
    const text = normaliseForSearch(`${firstName} ${lastName} ${licenseNumber}`)
    return words.every((word) => text.includes(word))
  })
}
