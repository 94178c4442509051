/** The paths of drivers' pages, and the queries that those pages show. */

/** The page of one driver. */
export function driverPath(driverId: string): string {
  return `/panel/drivers/${driverId}`
}

/** Keys of everything that a driver's page reads, of every driver. */
export const driverPageKeys = [
  "getDriver",
  "listChanges",
  "listCheckedDays",
  "listDriverNotices",
  "listVerifications",
].map((_id) => [{ _id }])
