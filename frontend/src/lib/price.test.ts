import { describe, expect, it } from "vitest"
import { formatAmount, formatShortAmount } from "./money"
import { limitRangeError, minOrderableLimit, periodPrice } from "./price"
import priceTable from "./price-table.json"

describe("the price of a period", () => {
  it.each(priceTable)("for $driverLimit drivers is the server's", ({ driverLimit, ...price }) => {
    expect(periodPrice(driverLimit)).toEqual(price)
  })

  it.each([
    [0, 149_00],
    [1, 149_00],
    [6, 199_00],
    [11, 249_00],
    [10_000, 100_099_00],
  ])("counts every started block: %d drivers for %d grosze", (drivers, net) => {
    expect(periodPrice(drivers).net).toBe(net)
  })
})

describe("the lowest limit of a company", () => {
  it.each([
    [0, 5],
    [5, 5],
    [6, 10],
    [12, 15],
    [9_996, 10_000],
  ])("with %d drivers is %d", (drivers, least) => {
    expect(minOrderableLimit(drivers)).toBe(least)
  })
})

describe("a number of drivers", () => {
  it.each([
    [0, "tooLow"],
    [4, "tooLow"],
    [5, undefined],
    [10_000, undefined],
    [10_005, "tooHigh"],
  ])("of %d is %s", (drivers, problem) => {
    expect(limitRangeError(drivers)).toBe(problem)
  })
})

describe("an amount", () => {
  it.each([
    [18327, "183,27 zł"],
    [0, "0,00 zł"],
    [5, "0,05 zł"],
    [627177, "6 271,77 zł"],
    [12312177, "123 121,77 zł"],
  ])("of %d grosze is in Polish format", (grosze, text) => {
    expect(formatAmount(grosze).replaceAll("\u00a0", " ")).toBe(text)
  })

  it.each([
    [14900, "149 zł"],
    [18327, "183,27 zł"],
    [10009900, "100 099 zł"],
  ])("of %d grosze has a short form", (grosze, text) => {
    expect(formatShortAmount(grosze).replaceAll("\u00a0", " ")).toBe(text)
  })
})
