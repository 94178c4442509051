/** What the status of a licence document means on a screen. */

import type { DriverSummaryOut, VerificationSummaryOut } from "~/api/types.gen"
import { latestVerification } from "~/entities/driver/driver"
import type { BadgeTone } from "~/ui/badge"

/** The badge depends on the register's own status text and on nothing else (docs/rules.md R9). */
export function documentTone(documentStatus: string | null | undefined): BadgeTone {
  if (!documentStatus) return "neutral"
  if (documentStatus === "Wydany") return "valid"
  if (documentStatus === "Zatrzymany") return "withheld"
  return "caution"
}

/** Whether the register knows the document and reports it as expired. */
export function isExpired(verification: VerificationSummaryOut | undefined): boolean {
  return verification?.expired === true
}

export type AttentionReason = "expired" | "unusual" | "not_found" | "stale" | "over_limit"

/** Why a driver needs attention although the licence is not withheld; the most serious first. */
export function attentionReasons(driver: DriverSummaryOut): AttentionReason[] {
  const latest = latestVerification(driver)
  const reasons: AttentionReason[] = []
  if (latest?.status === "not_found") reasons.push("not_found")
  if (isExpired(latest) && latest?.status !== "invalid") reasons.push("expired")
  else if (latest?.status === "attention") reasons.push("unusual")
  if (driver.staleSince) reasons.push("stale")
  if (driver.overLimit) reasons.push("over_limit")
  return reasons
}
