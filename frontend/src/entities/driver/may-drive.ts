/** Who may drive today (docs/rules.md R9c). */

import type { DriverSummaryOut, VerificationSummaryOut } from "~/api/types.gen"
import { categoryProblems, latestVerification } from "./driver"
import { categoryKey, currentStatus, dateState, documentState } from "./expiry"

export type MayDrive = DriverSummaryOut["mayDrive"]

/** The server's answer; `no` from the midnight on after which a date is over. */
export function mayDrive(driver: DriverSummaryOut, today: string): MayDrive {
  const latest = latestVerification(driver)
  if (latest?.status === "invalid") return "no"
  // The server may be of a release without answers, beside a newer panel.
  const answer = driver.mayDrive ?? "check"
  if (!latest || latest.status === "not_found") return answer
  const isOver = documentState(latest, today) === "expired" || allCategoriesOver(latest, today)
  return isOver || categoryProblems(driver, today).length > 0 ? "no" : answer
}

/** Whether a verification alone says that its document entitles on the day. */
export function entitles(verification: VerificationSummaryOut, today: string): boolean {
  return currentStatus(verification, today) === "valid" && !allCategoriesOver(verification, today)
}

/** Of two days of one category the first counts. */
function allCategoriesOver({ categories }: VerificationSummaryOut, today: string): boolean {
  const over = categories.filter(({ dataWaznosci }) => dateState(dataWaznosci, today) === "expired")
  if (over.length === 0) return false
  const keys = new Set(over.map(({ kategoria }) => categoryKey(kategoria)))
  return categories.every(({ kategoria }) => keys.has(categoryKey(kategoria)))
}
