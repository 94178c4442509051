import type { DriverSummaryOut, VerificationSummaryOut } from "~/api/types.gen"
import { warsawDate } from "~/lib/dates"
import { currentStatus, documentState } from "./expiry"
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

/** Milliseconds that the daily check takes at the most. */
const checkDuration = 3_600_000

/** First and last result of the latest day's check; undefined before the first one. */
export function findDailyCheck(drivers: readonly DriverSummaryOut[]) {
  const times = drivers.flatMap(
    (one) => Date.parse(latestVerification(one)?.verifiedAt ?? "") || [],
  )
  if (times.length === 0) return undefined
  const day = warsawDate(Math.max(...times))
  const from = Math.min(...times.filter((time) => warsawDate(time) === day))
  return { from, until: Math.max(...times.filter((time) => time <= from + checkDuration)) }
}

/** Never checked yet, but due: the daily check skips drivers over the plan's limit. */
export function awaitsFirstCheck(driver: DriverSummaryOut): boolean {
  return driver.verifications.length === 0 && !driver.overLimit && driver.staleSince === null
}

/**
 * The needed categories that do not entitle today. Empty if the document itself is not valid: then
 * the document needs attention, or is withheld. Of another state they are named where the server's
 * answer is `no`, which they explain.
 */
export function categoryProblems(driver: DriverSummaryOut, today: string): CategoryProblem[] {
  const latest = latestVerification(driver)
  if (!latest) return []
  const explains = latest.status === "attention" && driver.mayDrive === "no"
  const isOver = documentState(latest, today) === "expired"
  if (currentStatus(latest, today) !== "valid" && (!explains || isOver)) return []
  return findCategoryProblems(driver.neededCategories, latest.categories, today)
}

/** The needed categories with a problem: their chips replace those of expired categories. */
export function problemCategories(driver: DriverSummaryOut | undefined, today: string): string[] {
  return driver ? categoryProblems(driver, today).map(({ category }) => category) : []
}
