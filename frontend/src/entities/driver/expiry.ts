/**
 * The expiry of documents and categories, judged by the dates on a Warsaw day.
 *
 * The register's status says nothing about it: a document stays "Wydany" with a category that is
 * over, and one verified as valid yesterday may be over since midnight. The last valid day belongs
 * to the validity (prawko.notifications.expiry decides the same on the server).
 */

import type { VerificationSummaryOut } from "~/api/types.gen"
import { daysUntil } from "~/lib/dates"

/**
 * From this many days before a date the panel shows it. Mails remind 90, 60, 30, 14 and 7 days
 * before; 30 days is about as long as medical examination and exchange take. A mark from 90 days on
 * would be on too many drivers to be noticed.
 */
export const soonDays = 30

/** A category's code as it is compared: the register may write 'B+E' or 'BE'. */
export function categoryKey(code: string): string {
  return code.toUpperCase().replace(/[+\s]/g, "")
}

/** The code as the law writes it: 'C+E'. */
export function categoryName(code: string): string {
  return code.replace(/^([BCD]1?)\s*\+?\s*E$/i, "$1+E")
}

export type DateState = "expired" | "soon" | "valid"
/** Categories with a common last day. */
export type CategoryExpiry = { state: "expired" | "soon"; lastDay: string; codes: string[] }

/** The state of what is valid through `lastDay`; without a date it never expires. */
export function dateState(lastDay: string | null | undefined, today: string): DateState {
  if (!lastDay) return "valid"
  const daysLeft = daysUntil(lastDay, today)
  if (daysLeft < 0) return "expired"
  return daysLeft <= soonDays ? "soon" : "valid"
}

/** The state of the document itself, also when its day has come since the verification. */
export function documentState(
  verification: VerificationSummaryOut | undefined,
  today: string,
): DateState {
  return verification?.expired ? "expired" : dateState(verification?.expiryDate, today)
}

/**
 * The categories that are over or soon will be, by date, oldest first; without those of `except`
 * that are over.
 */
export function categoryExpiries(
  verification: VerificationSummaryOut | undefined,
  today: string,
  except: readonly string[] = [],
): CategoryExpiry[] {
  const exceptKeys = except.map(categoryKey)
  const expiries = new Map<string, CategoryExpiry>()
  for (const { kategoria, dataWaznosci } of verification?.categories ?? []) {
    const state = dateState(dataWaznosci, today)
    if (!dataWaznosci || state === "valid") continue
    if (state === "expired" && exceptKeys.includes(categoryKey(kategoria))) continue
    const lastDay = dataWaznosci.slice(0, 10)
    const expiry = expiries.get(lastDay) ?? { state, lastDay, codes: [] }
    const name = categoryName(kategoria)
    if (!expiry.codes.includes(name)) expiry.codes.push(name)
    expiries.set(lastDay, expiry)
  }
  return [...expiries.values()].sort((a, b) => (a.lastDay < b.lastDay ? -1 : 1))
}

/** The next day on which a valid document or a category of it ends, today included. */
export function nextExpiryDay(
  verification: VerificationSummaryOut | undefined,
  today: string,
): string | undefined {
  if (verification?.status !== "valid" || documentState(verification, today) === "expired") return
  let next: string | undefined
  for (const day of [verification.expiryDate, ...verification.categories.map(lastDayOf)]) {
    const lastDay = day?.slice(0, 10)
    if (lastDay && lastDay >= today && (!next || lastDay < next)) next = lastDay
  }
  return next
}

function lastDayOf({ dataWaznosci }: VerificationSummaryOut["categories"][number]) {
  return dataWaznosci
}

/** Whether a category has expired that is none of `except`. */
export function hasExpiredCategory(
  verification: VerificationSummaryOut | undefined,
  today: string,
  except: readonly string[] = [],
): boolean {
  return categoryExpiries(verification, today, except).some(({ state }) => state === "expired")
}

/** The outcome as it holds today: a valid document whose day is over needs attention. */
export function currentStatus(
  verification: VerificationSummaryOut,
  today: string,
): VerificationSummaryOut["status"] {
  const isOver = documentState(verification, today) === "expired"
  return verification.status === "valid" && isOver ? "attention" : verification.status
}
