/** Who may drive today (docs/rules.md R9c). */

import type { DriverSummaryOut, VerificationSummaryOut } from "~/api/types.gen"
import { categoryProblems, latestVerification } from "./driver"
import { categoryKey, dateState, documentState } from "./expiry"

export type MayDrive = DriverSummaryOut["mayDrive"]

/** The server's answer; `no` from the midnight on after which a date is over. */
export function mayDrive(driver: DriverSummaryOut, today: string): MayDrive {
  const latest = latestVerification(driver)
  // A list that was kept for the time without a network may be of a release without answers.
  const answer = driver.mayDrive ?? "check"
  if (!latest || latest.status === "not_found") return answer
  const isOver = documentState(latest, today) === "expired" || allCategoriesOver(latest, today)
  return isOver || categoryProblems(driver, today).length > 0 ? "no" : answer
}

/** Of two days of one category the first counts. */
function allCategoriesOver({ categories }: VerificationSummaryOut, today: string): boolean {
  const over = categories.filter(({ dataWaznosci }) => dateState(dataWaznosci, today) === "expired")
  if (over.length === 0) return false
  const keys = new Set(over.map(({ kategoria }) => categoryKey(kategoria)))
  return categories.every(({ kategoria }) => keys.has(categoryKey(kategoria)))
}
