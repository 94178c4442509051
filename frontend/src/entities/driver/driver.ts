import type { DriverOut, VerificationOut } from "~/api/types.gen"

export function fullName({
  firstName,
  lastName,
}: Pick<DriverOut, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`
}

export function latestVerification(driver: DriverOut): VerificationOut | undefined {
  return driver.verifications[0]
}

/** Never checked yet, but due: the daily check skips drivers over the plan's limit. */
export function awaitsFirstCheck(driver: DriverOut): boolean {
  return driver.verifications.length === 0 && !driver.overLimit && driver.staleSince === null
}
