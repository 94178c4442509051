import * as v from "valibot"
import { describe, expect, it } from "vitest"
import { findDailyCheck } from "~/entities/driver/driver"
import { vDriverForm } from "~/entities/driver/driver-fields"
import { driver, expired, notFound, verified, withheld } from "~/testing/fixtures"
import { filterDrivers, sortByExpiry, sortDrivers, toggleSort } from "./list-order"

const category = (kategoria: string, dataWaznosci: string) => ({ kategoria, dataWaznosci })
const named = { firstName: "Jan", lastName: "Kowalski", neededCategories: [] }
const accepts = (licenseNumber: string) => v.safeParse(vDriverForm, { ...named, licenseNumber })

describe("a licence number", () => {
  it("is two letters and six digits, stored in upper case", () => {
    const { output, success } = accepts("ab123456")
    expect(success).toBe(true)
    expect(output).toEqual({ ...named, licenseNumber: "AB123456" })
  })

  it.each([
    ["a letter that becomes two capitals", "ß123456"],
    ["a ligature that becomes two capitals", "ﬁ123456"],
    ["a dotless i that becomes an I", "aı123456"],
    ["a long s that becomes an S", "aſ123456"],
    ["the Kelvin sign", "a\u212a123456"],
    ["Polish letters", "ŁÓ123456"],
    ["full-width digits", "AB１２３４５６"],
    ["Arabic digits", "AB١٢٣٤٥٦"],
    ["a line break at the end", "AB123456\n"],
    ["a blank in the middle", "AB 12345"],
    ["seven digits", "AB1234567"],
    ["five digits", "AB12345"],
    ["nothing", ""],
  ])("is refused with %s", (_, number) => {
    expect(accepts(number).success).toBe(false)
  })
})

describe("a driver's names", () => {
  it("are required and must not be blank", () => {
    const form = { ...named, firstName: "  ", lastName: "", licenseNumber: "AA123456" }
    const { issues } = v.safeParse(vDriverForm, form)
    expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(["firstName", "lastName"])
  })

  it("are normalised", () => {
    const form = {
      ...named,
      firstName: " Ja\u00adn\u200b ",
      lastName: " Nowak ",
      licenseNumber: "AA123456",
    }
    expect(v.parse(vDriverForm, form)).toMatchObject({ firstName: "Jan", lastName: "Nowak" })
  })
})

describe("the order of drivers", () => {
  const lastNames = (order: readonly { lastName: string }[]) => order.map((one) => one.lastName)
  const some = ["Źrebiec", "Zając", "Łoś", "Lis", "Ćwikła", "Cyran", "Żak"].map((lastName) =>
    driver("Jan", lastName),
  )

  it("sorts by Polish collation", () => {
    const sorted = sortDrivers(some, { key: "lastName", descending: false }, "2026-11-21")
    expect(lastNames(sorted)).toEqual(["Cyran", "Ćwikła", "Lis", "Łoś", "Zając", "Źrebiec", "Żak"])
  })

  it("reverses with the direction", () => {
    const sorted = sortDrivers(some, { key: "lastName", descending: true }, "2026-11-21")
    expect(lastNames(sorted)[0]).toBe("Żak")
  })

  it("by status puts the withheld ones first", () => {
    const mixed = [
      driver("A", "Ważny", verified()),
      driver("B", "Nowy"),
      driver("C", "Zatrzymany", withheld),
      driver("D", "Nieznany", notFound),
      driver("E", "Przeterminowany", expired),
      driver("F", "Bez C", verified({ categories: [category("C", "2026-11-20")] })),
      driver("G", "Po północy", verified({ expiryDate: "2026-11-20" })),
    ]
    const sorted = sortDrivers(mixed, { key: "status", descending: false }, "2026-11-21")
    expect(sorted.map((one) => one.firstName)).toEqual(["C", "F", "G", "E", "D", "B", "A"])
  })

  it.each([
    ["validUntil", ["Wcześniej", "Później", "Bez"]],
    ["categories", ["Później", "Wcześniej", "Bez"]],
    ["lastVerification", ["Bez", "Później", "Wcześniej"]],
  ] as const)("by %s puts what is missing last, and who was never checked first", (key, wanted) => {
    const some = [
      driver("A", "Bez"),
      driver("B", "Później", verified({ expiryDate: "2034-01-01" })),
      driver("C", "Wcześniej", {
        ...verified({ expiryDate: "2031-01-01", categories: [category("C", "2031-01-01")] }),
        verifiedAt: "2026-11-21T05:04:00Z",
      }),
    ]
    expect(lastNames(sortDrivers(some, { key, descending: false }, "2026-11-21"))).toEqual(wanted)
  })

  it("by expiry puts what ends first at the top", () => {
    const soon = [
      driver("A", "Dokument", verified({ expiryDate: "2026-12-10" })),
      driver("B", "Nic", verified()),
      driver("C", "Kategoria", verified({ categories: [category("C", "2026-11-22")] })),
      driver("D", "Była", verified({ categories: [category("C", "2026-11-20")] })),
    ]
    const sorted = sortByExpiry(soon, "2026-11-21")
    expect(sorted.map((one) => one.firstName)).toEqual(["C", "A", "B", "D"])
  })

  it("starts ascending and reverses with the next click on the same header", () => {
    const once = toggleSort(null, "status")
    expect(once).toEqual({ key: "status", descending: false })
    expect(toggleSort(once, "status")).toEqual({ key: "status", descending: true })
    expect(toggleSort(once, "lastName")).toEqual({ key: "lastName", descending: false })
  })
})

describe("the daily check", () => {
  it("is the latest day's from its first result on, until the last within an hour", () => {
    const at = (verifiedAt: string) => driver("A", "A", verified({ verifiedAt }))
    const from = "2026-11-21T05:04:00Z"
    const until = "2026-11-21T06:04:00Z"
    const list = [
      "2026-11-21T13:20:00Z",
      until,
      "2026-11-20T22:59:59Z",
      from,
      "2026-11-20T05:00:00Z",
    ]
    expect(findDailyCheck([...list.map(at), driver("B", "Nowy")])?.from).toBe(Date.parse(from))
    expect(findDailyCheck(list.map(at))?.until).toBe(Date.parse(until))
    expect(findDailyCheck([driver("B", "Nowy")])).toBeUndefined()
  })
})

describe("the search for drivers", () => {
  const zofia = driver("Zofia", "Wójcik-Łoś", undefined, { licenseNumber: "XY998877" })
  const jan = driver("Jan", "Kowalski", undefined, { licenseNumber: "AA123456" })
  const found = (query: string) => filterDrivers([zofia, jan], query)

  it("matches first name, last name and licence number, ignoring case", () => {
    expect(found("zof")).toEqual([zofia])
    expect(found("KOWAL")).toEqual([jan])
    expect(found("xy9988")).toEqual([zofia])
  })

  it("ignores Polish diacritics", () => {
    expect(found("wojcik-los")).toEqual([zofia])
    expect(found("Łoś")).toEqual([zofia])
  })

  it("matches words in any order", () => {
    expect(found("kowalski jan")).toEqual([jan])
    expect(found("jan 1234")).toEqual([jan])
    expect(found("jan 12-34")).toEqual([jan])
  })

  it.each(["O'Neil", "o’neil", "oneil", "O‘NEIL", "o`neil", "o´neil", "anna o'n"])(
    "finds O’Neil by %s, however the name is stored",
    (query) => {
      const stored = ["O’Neil", "O'Neil", "ONeil"].map((lastName) => driver("Anna", lastName))
      expect(filterDrivers(stored, query)).toEqual(stored)
      expect(found(query)).toEqual([])
    },
  )

  it("returns all drivers for a blank query", () => {
    expect(found("   ")).toEqual([zofia, jan])
  })
})
