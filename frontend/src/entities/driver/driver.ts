import type { DriverSummaryOut, VerificationSummaryOut } from "~/api/types.gen"

export function fullName({
  firstName,
  lastName,
}: Pick<DriverSummaryOut, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`
}

export function latestVerification(driver: DriverSummaryOut): VerificationSummaryOut | undefined {
  return driver.verifications[0]
}

/** Never checked yet, but due: the daily check skips drivers over the plan's limit. */
export function awaitsFirstCheck(driver: DriverSummaryOut): boolean {
  return driver.verifications.length === 0 && !driver.overLimit && driver.staleSince === null
}
