import { describe, expect, it } from "vitest"
import { driver, expired, notFound, unusual, verified, withheld } from "~/testing/fixtures"
import { attentionReasons, documentTone } from "./document-status"

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
  ])("depends on the status text only: %s is %s", (state, tone) => {
    expect(documentTone(state)).toBe(tone)
  })
})

describe("the reasons for attention", () => {
  it("are none for a valid, a withheld or an unchecked licence", () => {
    expect(attentionReasons(driver("Jan", "Nowak", verified()))).toEqual([])
    expect(attentionReasons(driver("Jan", "Nowak", withheld))).toEqual([])
    expect(attentionReasons(driver("Jan", "Nowak"))).toEqual([])
  })

  it("are an expired document, an unusual status, and one that was not found", () => {
    expect(attentionReasons(driver("Jan", "Nowak", expired))).toEqual(["expired"])
    expect(attentionReasons(driver("Jan", "Nowak", unusual))).toEqual(["unusual"])
    expect(attentionReasons(driver("Jan", "Nowak", notFound))).toEqual(["not_found"])
  })

  it("are a stale result, also of a withheld licence, and a driver over the limit", () => {
    const stale = { staleSince: "2026-11-18T05:00:00Z", overLimit: true }
    expect(attentionReasons(driver("Jan", "Nowak", withheld, stale))).toEqual([
      "stale",
      "over_limit",
    ])
  })

  it("exclude the expiry of a withheld document, which is in the red section", () => {
    expect(attentionReasons(driver("Jan", "Nowak", { ...withheld, expired: true }))).toEqual([])
  })
})
