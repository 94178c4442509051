import { describe, expect, it } from "vitest"
import { driver, expired, notFound, unusual, verified, withheld } from "~/testing/fixtures"
import { attentionReasons } from "./document-status"

const today = "2026-11-21"
const reasonsOf = (one: Parameters<typeof attentionReasons>[0]) => attentionReasons(one, today)

describe("the reasons for attention", () => {
  it("are none for a valid, a withheld or an unchecked licence", () => {
    expect(reasonsOf(driver("Jan", "Nowak", verified()))).toEqual([])
    expect(reasonsOf(driver("Jan", "Nowak", withheld))).toEqual([])
    expect(reasonsOf(driver("Jan", "Nowak"))).toEqual([])
  })

  it("are an expired document, an unusual status, and one that was not found", () => {
    expect(reasonsOf(driver("Jan", "Nowak", expired))).toEqual(["expired"])
    expect(reasonsOf(driver("Jan", "Nowak", unusual))).toEqual(["unusual"])
    expect(reasonsOf(driver("Jan", "Nowak", notFound))).toEqual(["not_found"])
  })

  it("name a lacking category before a status that explains nothing", () => {
    const lacking = { neededCategories: ["C+E" as const], mayDrive: "no" as const }
    const one = driver("Jan", "Nowak", unusual, lacking)
    expect(reasonsOf(one)).toEqual(["needed_category", "unusual"])
  })

  it("are a stale result, also of a withheld licence, and a driver over the limit", () => {
    const stale = { staleSince: "2026-11-18T05:00:00Z", overLimit: true }
    expect(reasonsOf(driver("Jan", "Nowak", withheld, stale))).toEqual(["stale", "over_limit"])
  })

  it("are a category that has expired, and one that soon will", () => {
    const withCategory = (dataWaznosci: string) =>
      driver("Jan", "Nowak", verified({ categories: [{ kategoria: "C", dataWaznosci }] }))
    expect(reasonsOf(withCategory("2026-11-20"))).toEqual(["category_expired"])
    expect(reasonsOf(withCategory("2026-11-21"))).toEqual(["expires_soon"])
    expect(reasonsOf(withCategory("2026-12-21"))).toEqual(["expires_soon"])
    expect(reasonsOf(withCategory("2026-12-22"))).toEqual([])
  })

  it("are the expiry of a document that was valid when it was checked", () => {
    const yesterday = verified({ expiryDate: "2026-11-20" })
    expect(reasonsOf(driver("Jan", "Nowak", yesterday))).toEqual(["expired"])
  })

  it("exclude the expiry of a withheld document, which is in the red section", () => {
    expect(reasonsOf(driver("Jan", "Nowak", { ...withheld, expired: true }))).toEqual([])
  })
})
