import { describe, expect, it } from "vitest"
import type { VerificationOut } from "~/api/types.gen"
import { driver, verified, withheld } from "~/testing/fixtures"
import { countExpiring } from "./expiry-counts"

const today = "2026-11-22"
const far = "2034-05-17"
const category = (dataWaznosci: string | null) => ({
  expiryDate: far,
  categories: [{ kategoria: "C", dataWaznosci }],
})

describe("what expires within 7, 30 and 90 days", () => {
  it.each<[string, Partial<VerificationOut>, number[]]>([
    ["today", { expiryDate: today }, [1, 1, 1]],
    ["in 7 days", { expiryDate: "2026-11-29" }, [1, 1, 1]],
    ["in 8 days", { expiryDate: "2026-11-30" }, [0, 1, 1]],
    ["in 30 days", { expiryDate: "2026-12-22" }, [0, 1, 1]],
    ["in 31 days", { expiryDate: "2026-12-23" }, [0, 0, 1]],
    ["in 90 days", { expiryDate: "2027-02-20" }, [0, 0, 1]],
    ["in 91 days", { expiryDate: "2027-02-21" }, [0, 0, 0]],
    ["a category", category("2026-11-29"), [1, 1, 1]],
    ["a category that is over is not to come", category("2026-11-21"), [0, 0, 0]],
    ["nothing with a date", { expiryDate: null, categories: [] }, [0, 0, 0]],
  ])("%s", (_, found, expected) => {
    const counts = countExpiring([driver("Jan", "Nowak", verified(found))], today)
    expect(Object.values(counts)).toEqual(expected)
  })

  it("counts a driver once, and none who is withheld or unchecked", () => {
    const twice = verified({
      expiryDate: "2026-11-24",
      categories: [{ kategoria: "C", dataWaznosci: "2026-11-25" }],
    })
    const drivers = [
      driver("A", "A", twice),
      driver("B", "B", { ...withheld, expiryDate: "2026-11-24" }),
      driver("C", "C"),
    ]
    expect(countExpiring(drivers, today)).toEqual({ 7: 1, 30: 1, 90: 1 })
  })
})
