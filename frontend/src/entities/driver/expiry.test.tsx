import { cleanup, screen } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import type { VerificationOut } from "~/api/types.gen"
import { countDrivers } from "~/features/overview/driver-counts"
import { warsawDate } from "~/lib/dates"
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
      { kategoria: "C+E", dataWaznosci: "2026-10-20" },
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
const neededLists = [[], ["C"], ["C", "D"], ["B"]]
const cells = Object.keys(outcomes).flatMap((outcome) =>
  lastDays.flatMap((document) =>
    [...lastDays, "absent"].flatMap((category) =>
      neededLists.flatMap((needed) =>
        [lastMinute, firstMinute].map(
          (instant) => [outcome, document, category, needed.join(), instant] as const,
        ),
      ),
    ),
  ),
)

describe("no expired entitlement looks valid", () => {
  it.each(cells)("%s, document until %s, C until %s, needed %s, at %s", (...cell) => {
    const [outcome, document, category, needed, now] = cell
    const today = dayAt(now)
    const listed = [{ kategoria: "B", dataWaznosci: null }]
    const ownC = category === "absent" ? [] : [{ kategoria: "C", dataWaznosci: category }]
    const found = {
      ...(outcomes[outcome] as VerificationOut),
      expiryDate: outcome === "not_found" ? null : document,
      categories: outcome === "not_found" ? [] : [...listed, ...ownC],
    }
    const one = driver("Jan", "Nowak", found, {
      neededCategories: needed === "" ? [] : needed.split(","),
    })
    const latest = one.verifications[0] as VerificationOut
    const isDocumentOver =
      outcome !== "not_found" && (latest.expired || (document !== null && document < today))
    const isCategoryOver =
      outcome !== "not_found" && category !== null && category !== "absent" && category < today
    const isValidDocument = outcome === "valid" && !isDocumentOver
    const lacksC = needed.includes("C") && (category === "absent" || isCategoryOver)
    const lacksD = needed.includes("D")
    const isLacking = isValidDocument && (lacksC || lacksD)
    const counts = countDrivers([one], today)
    // The two cells of the driver's row.
    renderScreen(
      <>
        <DriverStatusBadges driver={one} today={today} />
        <ValidityDate driver={one} today={today} />
      </>,
    )

    expect(counts.valid).toBe(outcome === "valid" ? 1 : 0)
    const looksValid = counts.mayDrive.yes === 1
    expect(looksValid).toBe(isValidDocument && !isLacking)
    const hasEnded = outcome !== "not_found" && (isDocumentOver || isLacking)
    const ofOldServer = { ...one, mayDrive: undefined } as unknown as typeof one
    for (const asked of [one, ofOldServer]) {
      expect(mayDrive(asked, today) === "no").toBe(outcome === "invalid" || hasEnded)
    }
    expect(currentStatus(latest, today) === "valid").toBe(isValidDocument)
    expect(counts.neededCategory).toBe(isLacking ? 1 : 0)
    expect(attentionReasons(one, today).includes("needed_category")).toBe(isLacking)
    const chips = (text: RegExp) => screen.queryAllByText(text)
    expect(chips(/^Brak kategorii C$/)).toHaveLength(isLacking && lacksC && !isCategoryOver ? 1 : 0)
    expect(chips(/^Brak kategorii D$/)).toHaveLength(isLacking && lacksD ? 1 : 0)
    expect(
      chips(/^Kategoria C wygasła 30\.10\.2026$|^Kategoria C wygasła 31\.10\.2026$/),
    ).toHaveLength(isLacking && lacksC && isCategoryOver ? 1 : 0)
    if (isDocumentOver) {
      expect(screen.getByText("po terminie")).toBeVisible()
      if (outcome !== "invalid") expect(attentionReasons(one, today)).toContain("expired")
    } else if (isCategoryOver && outcome !== "invalid") {
      // Said once: by the chip of the needed category, or by that of any expired one.
      const isSaidAlready = isLacking && lacksC
      expect(chips(/^C wygasła /)).toHaveLength(isSaidAlready ? 0 : 1)
      expect(attentionReasons(one, today).includes("category_expired")).toBe(!isSaidAlready)
    }
    const isUnneeded = isCategoryOver && !(isLacking && lacksC)
    expect(counts.expiredCategory).toBe(isValidDocument && isUnneeded ? 1 : 0)
    cleanup()
  })
})
