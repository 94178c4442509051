import { describe, expect, it } from "vitest"
import { driver, expired, notFound, unusual, verified, withheld } from "~/testing/people"
import { concernsOf, documentTone } from "./document-state"

describe("the badge of a document", () => {
  it.each([
    ["Wydany", "valid"],
    ["Zatrzymany", "withheld"],
    ["Cofnięty", "caution"],
    ["Utracony", "caution"],
    ["wydany", "caution"],
    [null, "neutral"],
    [undefined, "neutral"],
    ["", "neutral"],
  ])("follows the text alone: %s is %s", (state, tone) => {
    expect(documentTone(state)).toBe(tone)
  })
})

describe("what needs attention", () => {
  it("is nothing about a valid licence, a withheld one or one not checked yet", () => {
    expect(concernsOf(driver("Jan", "Nowak", verified()))).toEqual([])
    expect(concernsOf(driver("Jan", "Nowak", withheld))).toEqual([])
    expect(concernsOf(driver("Jan", "Nowak"))).toEqual([])
  })

  it("is an expired document, an unusual state, and one the register does not know", () => {
    expect(concernsOf(driver("Jan", "Nowak", expired))).toEqual(["expired"])
    expect(concernsOf(driver("Jan", "Nowak", unusual))).toEqual(["unusual"])
    expect(concernsOf(driver("Jan", "Nowak", notFound))).toEqual(["not_found"])
  })

  it("is a stale result, also of a withheld licence, and a driver over the limit", () => {
    const stale = { staleSince: "2026-11-18T05:00:00Z", overLimit: true }
    expect(concernsOf(driver("Jan", "Nowak", withheld, stale))).toEqual(["stale", "over_limit"])
  })

  it("is not the expiry of a withheld document: that one stands under the red heading", () => {
    expect(concernsOf(driver("Jan", "Nowak", { ...withheld, expired: true }))).toEqual([])
  })
})
