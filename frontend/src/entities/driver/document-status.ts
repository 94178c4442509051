/** The meaning of a licence document's status on a screen. */

import type { DriverSummaryOut } from "~/api/types.gen"
import { daysUntil } from "~/lib/dates"
import { latestVerification, problemCategories } from "./driver"
import { documentState, hasExpiredCategory, nextExpiryDay, soonDays } from "./expiry"

/** The explanation of a status text of the register; null if it has none. */
export function documentGloss(documentStatus: string): "issued" | "withheld" | "revoked" | null {
  if (documentStatus === "Wydany") return "issued"
  if (documentStatus === "Zatrzymany") return "withheld"
  return documentStatus.startsWith("Cofni") ? "revoked" : null
}

export type AttentionReason =
  | "expired"
  | "unusual"
  | "not_found"
  | "needed_category"
  | "category_expired"
  | "stale"
  | "over_limit"
  | "expires_soon"

/**
 * Why a driver needs attention today although the licence is not withheld; the most serious first.
 * The categories of a document that has expired are not named: none of them is valid.
 */
export function attentionReasons(driver: DriverSummaryOut, today: string): AttentionReason[] {
  const latest = latestVerification(driver)
  const document = documentState(latest, today)
  const isWithheld = latest?.status === "invalid"
  const isExpired = document === "expired"
  const reasons: AttentionReason[] = []
  if (latest?.status === "not_found") reasons.push("not_found")
  if (isExpired && !isWithheld) reasons.push("expired")
  const problems = problemCategories(driver, today)
  if (problems.length > 0) reasons.push("needed_category")
  if (latest?.status === "attention" && !isExpired) reasons.push("unusual")
  if (!isExpired && !isWithheld && hasExpiredCategory(latest, today, problems)) {
    reasons.push("category_expired")
  }
  if (driver.staleSince) reasons.push("stale")
  if (driver.overLimit) reasons.push("over_limit")
  const next = nextExpiryDay(latest, today)
  if (next && daysUntil(next, today) <= soonDays) reasons.push("expires_soon")
  return reasons
}
