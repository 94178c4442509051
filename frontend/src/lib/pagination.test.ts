import { describe, expect, it } from "vitest"
import { pageSizes, paginate } from "./pagination"

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

describe("pagination", () => {
  it("offers pages of 10, 25 and 50", () => {
    expect(pageSizes).toEqual([10, 25, 50])
  })

  it("returns the rows and the number of pages", () => {
    expect(paginate(numbers(21), 3, 10)).toEqual({ rows: [21], page: 3, pages: 3 })
    expect(paginate(numbers(20), 2, 10).pages).toBe(2)
  })

  it("of an empty list returns one page", () => {
    expect(paginate([], 1, 10)).toEqual({ rows: [], page: 1, pages: 1 })
  })

  it("returns the last page when the list has become shorter", () => {
    expect(paginate(numbers(20), 3, 10)).toEqual({ rows: numbers(20).slice(10), page: 2, pages: 2 })
  })
})
