import { describe, expect, it } from "vitest"
import type { DriverOut, VerificationOut } from "~/api/types.gen"
import { driver, expired, notFound, unusual, verified, withheld } from "~/testing/fixtures"
import { type DriverFilter, driverFilters, groupDrivers, groupsOf } from "./driver-filter"

const today = "2026-11-21"
const until = (dataWaznosci: string, more: Partial<VerificationOut> = {}) =>
  verified({ categories: [{ kategoria: "C", dataWaznosci }], ...more })

const cases: [string, DriverOut, DriverFilter[]][] = [
  ["valid", driver("A", "B", verified()), ["yes", "valid"]],
  ["never checked", driver("A", "B"), ["check", "waiting"]],
  [
    "never checked and over the limit",
    driver("A", "B", undefined, { overLimit: true }),
    ["check", "attention"],
  ],
  ["withheld", driver("A", "B", withheld), ["no", "unhandled", "withheld"]],
  [
    "withheld with an expired category",
    driver("A", "B", { ...withheld, ...until("2026-11-01"), status: "invalid" }),
    ["no", "unhandled", "withheld"],
  ],
  [
    "withheld and stale",
    driver("A", "B", withheld, { staleSince: "2026-11-18T05:00:00Z" }),
    ["no", "unhandled", "withheld", "attention"],
  ],
  [
    "withheld and taken off the road",
    driver("A", "B", withheld, {
      episode: {
        since: "2026-11-18T05:00:00Z",
        reasons: [],
        acknowledgement: { id: "1", note: "", createdAt: "2026-11-18T06:00:00Z", createdBy: null },
      },
    }),
    ["no", "withheld"],
  ],
  ["in another state", driver("A", "B", unusual), ["check", "attention"]],
  ["unknown to the register", driver("A", "B", notFound), ["check", "attention"]],
  ["expired", driver("A", "B", expired), ["no", "unhandled", "attention"]],
  [
    "expired since midnight",
    driver("A", "B", verified({ expiryDate: "2026-11-20" })),
    ["no", "unhandled", "attention", "valid"],
  ],
  [
    "on its last day",
    driver("A", "B", verified({ expiryDate: today })),
    ["yes", "expiring7", "expiring", "expiring90", "valid"],
  ],
  [
    "with seven days left",
    driver("A", "B", verified({ expiryDate: "2026-11-28" })),
    ["yes", "expiring7", "expiring", "expiring90", "valid"],
  ],
  [
    "with eight days left",
    driver("A", "B", verified({ expiryDate: "2026-11-29" })),
    ["yes", "expiring", "expiring90", "valid"],
  ],
  [
    "with thirty days left",
    driver("A", "B", verified({ expiryDate: "2026-12-21" })),
    ["yes", "expiring", "expiring90", "valid"],
  ],
  [
    "with thirty-one days left",
    driver("A", "B", verified({ expiryDate: "2026-12-22" })),
    ["yes", "expiring90", "valid"],
  ],
  [
    "with ninety days left",
    driver("A", "B", verified({ expiryDate: "2027-02-19" })),
    ["yes", "expiring90", "valid"],
  ],
  [
    "with ninety-one days left",
    driver("A", "B", verified({ expiryDate: "2027-02-20" })),
    ["yes", "valid"],
  ],
  [
    "of whom nothing has a date",
    driver("A", "B", verified({ expiryDate: null, categories: [] })),
    ["yes", "valid"],
  ],
  [
    "with a needed category missing, and a day",
    driver("A", "B", verified({ expiryDate: "2026-11-25" }), { neededCategories: ["C"] }),
    ["no", "unhandled", "attention", "expiring7", "expiring", "expiring90", "valid"],
  ],
  [
    "withheld until a near day",
    driver("A", "B", { ...withheld, expiryDate: "2026-11-25" }),
    ["no", "unhandled", "withheld"],
  ],
  [
    "with a category that is over",
    driver("A", "B", until("2026-11-20")),
    ["no", "unhandled", "attention", "valid"],
  ],
  [
    "with a category that soon is",
    driver("A", "B", until("2026-12-01")),
    ["yes", "expiring", "expiring90", "valid"],
  ],
  [
    "with both",
    driver("A", "B", until("2026-11-20", { expiryDate: "2026-12-01" })),
    ["no", "unhandled", "attention", "expiring", "expiring90", "valid"],
  ],
  [
    "without a needed category",
    driver("A", "B", verified(), { neededCategories: ["C"] }),
    ["no", "unhandled", "attention", "valid"],
  ],
  [
    "stale",
    driver("A", "B", verified(), { staleSince: "2026-11-18T05:00:00Z" }),
    ["check", "attention", "valid"],
  ],
]

describe("a driver's groups", () => {
  it.each(cases)("of one %s", (_, one, groups) => {
    expect(groupsOf(one, today)).toEqual(groups)
  })

  it("contain every driver, in the order of the list", () => {
    const drivers = cases.map(([, one]) => one)
    const groups = groupDrivers(drivers, today)
    expect(groups.all).toEqual(drivers)
    for (const group of driverFilters.slice(1)) {
      const expected = cases.filter(([, , own]) => own.includes(group)).map(([, one]) => one)
      expect(groups[group]).toEqual(expected)
    }
  })
})
