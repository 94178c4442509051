import { describe, expect, it } from "vitest"
import { chooseCategories, orderCategories } from "./category-order"

const today = "2026-11-21"
const listed = (text: string) =>
  text.split(" ").map((one) => {
    const [kategoria = "", dataWaznosci = null] = one.split(":")
    return { kategoria, dataWaznosci }
  })
const codes = (categories: readonly { kategoria: string }[]) =>
  categories.map(({ kategoria }) => kategoria).join(" ")

describe("the categories of a row", () => {
  it("are in the order of the licence card, unknown ones at the end", () => {
    expect(codes(orderCategories(listed("T PT C+E B AM C")))).toBe("AM B C C+E T PT")
  })

  it("are there once, with the first of two dates", () => {
    const twice = listed("B+E:2030-01-01 BE:2028-01-01 B+E B:2031-01-01 B")
    expect(orderCategories(twice)).toEqual(listed("B:2031-01-01 BE:2028-01-01"))
  })

  it.each([
    ["AM B1 B", [], "AM B1 B"],
    ["AM B B+E C C+E", [], "AM B B+E C C+E"],
    ["AM A2 A B1 B B+E C1 C T", [], "A B B+E C"],
    ["AM A2 A B1 B B+E C1 C T", ["AM", "C1"], "AM B+E C1 C"],
    ["AM:2026-11-20 A2 A B1:2026-12-01 B B+E C1 C T", ["T"], "AM B1 C T"],
  ])("of %s with %j needed are %s", (categories, needed, chosen) => {
    expect(codes(chooseCategories(listed(categories), needed, today))).toBe(chosen)
  })
})
