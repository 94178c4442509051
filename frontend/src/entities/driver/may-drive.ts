/** Who may drive today (docs/rules.md R9c), and how the panel shows it. */

import {
  Ban,
  CalendarClock,
  CalendarX2,
  CircleCheck,
  CircleHelp,
  Clock,
  Hourglass,
  type LucideIcon,
  OctagonX,
  SearchX,
  TriangleAlert,
  UserRoundX,
} from "lucide-react"
import type { DriverSummaryOut, VerificationSummaryOut } from "~/api/types.gen"
import type { BadgeTone } from "~/ui/badge"
import { categoryProblems, latestVerification } from "./driver"
import { categoryKey, currentStatus, type DateState, dateState, documentState } from "./expiry"
import { findCategoryProblems } from "./needed-categories"

export type MayDrive = DriverSummaryOut["mayDrive"]

export type Mark = { tone: BadgeTone; icon: LucideIcon }

/**
 * The tone and the icon of everything that the panel says about a driver: the answers, and the
 * reasons for them. No screen decides a colour by itself. Only the answer `yes` is green.
 */
export const marks = {
  no: { tone: "withheld", icon: Ban },
  check: { tone: "caution", icon: CircleHelp },
  yes: { tone: "valid", icon: CircleCheck },
  withheld: { tone: "withheld", icon: OctagonX },
  expired: { tone: "caution", icon: CalendarX2 },
  unusual: { tone: "caution", icon: TriangleAlert },
  not_found: { tone: "caution", icon: SearchX },
  needed_category: { tone: "caution", icon: TriangleAlert },
  category_expired: { tone: "caution", icon: CalendarX2 },
  stale: { tone: "caution", icon: Clock },
  over_limit: { tone: "neutral", icon: UserRoundX },
  expires_soon: { tone: "neutral", icon: CalendarClock },
  waiting: { tone: "neutral", icon: Hourglass },
} as const satisfies Record<string, Mark>

/** The mark of a date that is over or near. */
export function dateMark(state: Exclude<DateState, "valid">): Mark {
  return state === "expired" ? marks.expired : marks.expires_soon
}

/**
 * The tone of the register's own status text: green only if its holder may drive, without colour
 * while that is to be found out.
 */
export function documentTone(documentStatus: string | null, answer: MayDrive): BadgeTone {
  if (!documentStatus) return "neutral"
  if (documentStatus === "Zatrzymany") return "withheld"
  if (documentStatus !== "Wydany" || answer === "no") return "caution"
  return answer === "yes" ? "valid" : "neutral"
}

/** The toast of a result: an error for `invalid`, and a green tick only if the driver may drive. */
export function resultTone(
  status: DriverSummaryOut["status"],
  answer: MayDrive,
): "error" | "plain" | "notice" {
  if (status === "invalid") return "error"
  return answer === "yes" ? "plain" : "notice"
}

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

/** Whether the driver may not drive, and nobody has confirmed that the driver was taken off the road. */
export function isUnhandled(driver: DriverSummaryOut, today: string): boolean {
  return mayDrive(driver, today) === "no" && !driver.episode?.acknowledgement
}

/** Whether a verification alone says that its document, with the needed categories, entitles. */
export function entitles(
  verification: VerificationSummaryOut,
  today: string,
  needed: DriverSummaryOut["neededCategories"] = [],
): boolean {
  return (
    currentStatus(verification, today) === "valid" &&
    !allCategoriesOver(verification, today) &&
    findCategoryProblems(needed, verification.categories, today).length === 0
  )
}

/** Of two days of one category the first counts. */
function allCategoriesOver({ categories }: VerificationSummaryOut, today: string): boolean {
  const over = categories.filter(({ dataWaznosci }) => dateState(dataWaznosci, today) === "expired")
  if (over.length === 0) return false
  const keys = new Set(over.map(({ kategoria }) => categoryKey(kategoria)))
  return categories.every(({ kategoria }) => keys.has(categoryKey(kategoria)))
}
