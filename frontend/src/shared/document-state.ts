/** What a licence's latest verification means on a screen. */

import type { DriverOut, VerificationOut } from "~/api/types.gen"

export type Tone = "valid" | "withheld" | "caution" | "neutral"

/** The badge follows the document's own text and nothing else (spec section 2, reading R9). */
export function documentTone(documentStatus: string | null | undefined): Tone {
  if (!documentStatus) return "neutral"
  if (documentStatus === "Wydany") return "valid"
  if (documentStatus === "Zatrzymany") return "withheld"
  return "caution"
}

export function latestOf(driver: DriverOut): VerificationOut | undefined {
  return driver.verifications[0]
}

/** Whether the register knows the document and says it has run out. */
export function isExpired(verification: VerificationOut | undefined): boolean {
  return verification?.expired === true
}

export type Concern = "expired" | "unusual" | "not_found" | "stale" | "over_limit"

/** What about a driver needs a look, though nothing is withheld; the gravest first. */
export function concernsOf(driver: DriverOut): Concern[] {
  const latest = latestOf(driver)
  const concerns: Concern[] = []
  if (latest?.status === "not_found") concerns.push("not_found")
  if (isExpired(latest) && latest?.status !== "invalid") concerns.push("expired")
  else if (latest?.status === "attention") concerns.push("unusual")
  if (driver.staleSince) concerns.push("stale")
  if (driver.overLimit) concerns.push("over_limit")
  return concerns
}
