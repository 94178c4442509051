import { describe, expect, it } from "vitest"
import { vDriverIn } from "~/api/valibot.gen"
import { driver, verified, withheld } from "~/testing/fixtures"
import { categoryProblems } from "./driver"
import { findCategoryProblems, licenceCategories } from "./needed-categories"

const today = "2026-11-12"
const listed = (codes: Record<string, string | null>) =>
  Object.entries(codes).map(([kategoria, dataWaznosci]) => ({ kategoria, dataWaznosci }))

describe("the needed categories", () => {
  it.each([
    [["C"], { C: null }, []],
    [["C"], { C: "2026-11-12" }, []],
    [["C"], { C: "2026-11-11" }, [{ category: "C", expiredOn: "2026-11-11" }]],
    [["C"], { B: null, "C+E": null, C1: null }, [{ category: "C", expiredOn: null }]],
    [["C+E"], { CE: null }, []],
    [["C+E"], { "c + e": "2026-11-11" }, [{ category: "C+E", expiredOn: "2026-11-11" }]],
    [["C1"], { C: null }, [{ category: "C1", expiredOn: null }]],
    [
      ["B", "C"],
      {},
      [
        { category: "B", expiredOn: null },
        { category: "C", expiredOn: null },
      ],
    ],
    [[], { C: "2026-11-11" }, []],
  ])("%j of a licence with %j have the problems %j", (needed, codes, problems) => {
    expect(findCategoryProblems(needed, listed(codes), today)).toEqual(problems)
  })

  it("count the first of two days of one category", () => {
    const twice = [
      { kategoria: "C", dataWaznosci: "2030-01-01" },
      { kategoria: "C", dataWaznosci: "2026-11-11" },
    ]
    expect(findCategoryProblems(["C"], twice, today)).toHaveLength(1)
  })

  it("have no problems of a licence that is not valid, or was never checked", () => {
    const needing = { neededCategories: ["D"] }
    expect(categoryProblems(driver("Jan", "Nowak", verified(), needing), today)).toHaveLength(1)
    expect(categoryProblems(driver("Jan", "Nowak", withheld, needing), today)).toEqual([])
    expect(categoryProblems(driver("Jan", "Nowak", undefined, needing), today)).toEqual([])
  })

  it("are sixteen, all of which the server's document allows", () => {
    expect(new Set(licenceCategories).size).toBe(16)
    expect(vDriverIn.entries.neededCategories).toBeDefined()
  })
})
