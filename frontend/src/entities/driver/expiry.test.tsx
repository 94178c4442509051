import { screen, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import type { VerificationOut } from "~/api/types.gen"
import { countDrivers } from "~/features/overview/driver-counts"
import { warsawDate } from "~/lib/dates"
import { i18n } from "~/lib/i18n"
import { driver, expired, notFound, unusual, verified, withheld } from "~/testing/fixtures"
import { renderScreen } from "~/testing/render"
import { DriverStatusBadges } from "./document-badge"
import { attentionReasons } from "./document-status"
import { ValidityDate } from "./driver-validity"
import { categoryExpiries, currentStatus, dateState } from "./expiry"
import { mayDrive } from "./may-drive"

/** Both sides of the midnight after which the 31st of October is over. */
const lastMinute = "2026-10-31T23:59:59+01:00"
const firstMinute = "2026-11-01T00:00:00+01:00"
const dayAt = (instant: string) => warsawDate(Date.parse(instant))

describe("a last day", () => {
  it.each([
    [null, "valid"],
    ["2026-10-30", "expired"],
    ["2026-10-31", "soon"],
    ["2026-11-01", "soon"],
    ["2026-11-30", "soon"],
    ["2026-12-01", "valid"],
    ["1999-12-31", "expired"],
  ])("of %s is %s on 31 October", (lastDay, state) => {
    expect(dateState(lastDay, "2026-10-31")).toBe(state)
  })

  it("is over from midnight in Warsaw on", () => {
    expect(dateState("2026-10-31", dayAt(lastMinute))).toBe("soon")
    expect(dateState("2026-10-31", dayAt(firstMinute))).toBe("expired")
    expect(dateState("2026-07-31", dayAt("2026-07-31T21:59:59Z"))).toBe("soon")
    expect(dateState("2026-07-31", dayAt("2026-07-31T22:00:00Z"))).toBe("expired")
  })

  it("is shared by the categories that end on it", () => {
    const categories = [
      { kategoria: "CE", dataWaznosci: "2026-10-20" }, // as the register may write it
      { kategoria: "D", dataWaznosci: "2013-01-19" },
      { kategoria: "C", dataWaznosci: "2026-10-20" },
      { kategoria: "B", dataWaznosci: null },
    ]
    expect(categoryExpiries(verified({ categories }), "2026-11-01")).toEqual([
      { state: "expired", lastDay: "2013-01-19", codes: ["D"] },
      { state: "expired", lastDay: "2026-10-20", codes: ["C+E", "C"] },
    ])
  })
})

const outcomes: Record<string, VerificationOut> = {
  valid: verified(),
  invalid: withheld,
  attention: unusual,
  "attention, expired": expired,
  not_found: notFound,
}
const lastDays = [null, "2026-10-30", "2026-10-31", "2034-05-17"]
const neededLists: string[][] = [[], ["C"], ["C", "D"], ["B"]]
const cells = [...lastDays, "absent"].flatMap((category) =>
  neededLists.flatMap((needed) =>
    [lastMinute, firstMinute].map((now) => ({ category, needed, today: dayAt(now) })),
  ),
)
const places = Object.keys(outcomes).flatMap((outcome) =>
  lastDays.map((document) => [outcome, document] as const),
)

describe("no expired entitlement looks valid", () => {
  it.each(places)("%s, document until %s", (outcome, document) => {
    const isFound = outcome !== "not_found"
    const rows = cells.map((cell) => {
      const { category, needed: neededCategories } = cell
      const listed = [{ kategoria: "B", dataWaznosci: null }]
      const ownC = category === "absent" ? [] : [{ kategoria: "C", dataWaznosci: category }]
      const found = {
        ...(outcomes[outcome] as VerificationOut),
        expiryDate: isFound ? document : null,
        categories: isFound ? [...listed, ...ownC] : [],
      }
      const name = `C until ${category}, needed ${neededCategories}, on ${cell.today}`
      return { ...cell, name, one: driver("Jan", "Nowak", found, { neededCategories }) }
    })
    // The two cells of each driver's row.
    renderScreen(
      rows.map(({ name, one, today }) => (
        <section key={name} data-testid={name}>
          <DriverStatusBadges driver={one} today={today} />
          <ValidityDate t={i18n.t} driver={one} today={today} />
        </section>
      )),
    )

    for (const { category, needed, today, name, one } of rows) {
      const check = (value: unknown) => expect(value, name)
      const latest = one.verifications[0] as VerificationOut
      const isDocumentOver = isFound && (latest.expired || (document !== null && document < today))
      const isCategoryOver =
        isFound && category !== null && category !== "absent" && category < today
      const isValidDocument = outcome === "valid" && !isDocumentOver
      const lacksC = needed.includes("C") && (category === "absent" || isCategoryOver)
      const lacksD = needed.includes("D")
      const isLacking = isValidDocument && (lacksC || lacksD)
      const counts = countDrivers([one], today)
      const row = within(screen.getByTestId(name))

      check(counts.valid).toBe(outcome === "valid" ? 1 : 0)
      check(counts.mayDrive.yes === 1).toBe(isValidDocument && !isLacking)
      const hasEnded = isFound && (isDocumentOver || isLacking)
      const ofOldServer = { ...one, mayDrive: undefined } as unknown as typeof one
      for (const asked of [one, ofOldServer]) {
        check(mayDrive(asked, today) === "no").toBe(outcome === "invalid" || hasEnded)
      }
      check(currentStatus(latest, today) === "valid").toBe(isValidDocument)
      check(counts.neededCategory).toBe(isLacking ? 1 : 0)
      const reasons = attentionReasons(one, today)
      check(reasons.includes("needed_category")).toBe(isLacking)
      const chips = (text: RegExp) => check(row.queryAllByText(text))
      chips(/^Brak kategorii C$/).toHaveLength(isLacking && lacksC && !isCategoryOver ? 1 : 0)
      chips(/^Brak kategorii D$/).toHaveLength(isLacking && lacksD ? 1 : 0)
      chips(/^Kategoria C wygasła 3[01]\.10\.2026$/).toHaveLength(
        isLacking && lacksC && isCategoryOver ? 1 : 0,
      )
      if (isDocumentOver) {
        check(row.getByText("po terminie")).toBeVisible()
        if (outcome !== "invalid") check(reasons).toContain("expired")
      } else if (isCategoryOver && outcome !== "invalid") {
        // Said once: by the chip of the needed category, or by that of any expired one.
        const isSaidAlready = isLacking && lacksC
        chips(/^C wygasła /).toHaveLength(isSaidAlready ? 0 : 1)
        check(reasons.includes("category_expired")).toBe(!isSaidAlready)
      }
      const isUnneeded = isCategoryOver && !(isLacking && lacksC)
      check(counts.expiredCategory).toBe(isValidDocument && isUnneeded ? 1 : 0)
    }
  })
})
