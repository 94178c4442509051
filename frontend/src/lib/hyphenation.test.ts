import { describe, expect, it } from "vitest"
import { hyphenate } from "./hyphenation"

describe("a long name", () => {
  it.each([
    ["Kowal", "Kowal"],
    ["Kowalska", "Kowal|ska"],
    ["Kowalczykowska", "Kowal|czy|kow|ska"],
    ["Brzęczyszczykiewicz", "Brzę|czysz|czy|kie|wicz"],
    ["Konstantynopolitańczykowianeczka", "Kon|stan|ty|no|po|li|tań|czy|ko|wia|neczka"],
    ["Wołodyjowska-Rozwadowska", "Woło|dy|jow|ska-Roz|wa|dow|ska"],
    ["Anna Maria", "Anna Maria"],
    ["Włodzimierz", "Wło|dzi|mierz"],
    ["Szczebrzeszyński Nowak", "Szcze|brze|szyń|ski Nowak"],
    ["Strzżchrbrwmn", "Strzżchrbrwmn"],
    ["", ""],
  ])("%s is broken between syllables: %s", (name, parts) => {
    expect(hyphenate(name).join("|")).toBe(parts)
    expect(hyphenate(name).join("")).toBe(name)
  })

  it("keeps letters that are one sound together, and three letters at its ends", () => {
    for (const part of hyphenate("Grzegorzewskiemieszyszcze"))
      expect(part.length).toBeGreaterThan(1)
    expect(hyphenate("Abakanowiczówna")[0]).toBe("Aba")
  })
})
