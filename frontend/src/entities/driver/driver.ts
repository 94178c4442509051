import type { DriverSummaryOut, VerificationSummaryOut } from "~/api/types.gen"
import { currentStatus } from "./expiry"
import { type CategoryProblem, findCategoryProblems } from "./needed-categories"

export function fullName({
  firstName,
  lastName,
}: Pick<DriverSummaryOut, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`
}

/** The page of one driver. */
export function driverPath(driverId: string): string {
  return `/panel/drivers/${driverId}`
}

export function latestVerification(driver: DriverSummaryOut): VerificationSummaryOut | undefined {
  return driver.verifications[0]
}

/** The register's latest answer: withheld or withdrawn. */
export function isWithheld(driver: DriverSummaryOut): boolean {
  return latestVerification(driver)?.status === "invalid"
}

/** Never checked yet, but due: the daily check skips drivers over the plan's limit. */
export function awaitsFirstCheck(driver: DriverSummaryOut): boolean {
  return driver.verifications.length === 0 && !driver.overLimit && driver.staleSince === null
}

/**
 * The needed categories that do not entitle today. Empty if the document itself is not valid: then
 * the document needs attention, or is withheld.
 */
export function categoryProblems(driver: DriverSummaryOut, today: string): CategoryProblem[] {
  const latest = latestVerification(driver)
  if (!latest || currentStatus(latest, today) !== "valid") return []
  return findCategoryProblems(driver.neededCategories, latest.categories, today)
}

/** The needed categories with a problem: their chips replace those of expired categories. */
export function problemCategories(driver: DriverSummaryOut | undefined, today: string): string[] {
  return driver ? categoryProblems(driver, today).map(({ category }) => category) : []
}
