import type { DriverOut } from "~/api/types.gen"
import { searchable } from "~/shared/names"

/** The drivers whose first name, last name or licence number holds every word of the query. */
export function findDrivers(drivers: readonly DriverOut[], query: string): readonly DriverOut[] {
  const words = searchable(query).split(" ").filter(Boolean)
  if (words.length === 0) return drivers
  return drivers.filter(({ firstName, lastName, licenseNumber }) => {
    const text = searchable(`${firstName} ${lastName} ${licenseNumber}`)
    return words.every((word) => text.includes(word))
  })
}
