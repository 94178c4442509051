import { describe, expect, it } from "vitest"
import { pageOf, pageSizes } from "./paging"

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

describe("a page of a list", () => {
  it("comes in tens, twenty-fives and fifties", () => {
    expect(pageSizes).toEqual([10, 25, 50])
  })

  it("holds its rows and knows how many pages there are", () => {
    expect(pageOf(numbers(21), 3, 10)).toEqual({ rows: [21], page: 3, pages: 3 })
    expect(pageOf(numbers(20), 2, 10).pages).toBe(2)
  })

  it("of an empty list is the first of one", () => {
    expect(pageOf([], 1, 10)).toEqual({ rows: [], page: 1, pages: 1 })
  })

  it("is the last one when the list has become shorter", () => {
    expect(pageOf(numbers(20), 3, 10)).toEqual({ rows: numbers(20).slice(10), page: 2, pages: 2 })
  })
})
