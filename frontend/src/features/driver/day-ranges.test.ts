import { describe, expect, it } from "vitest"
import { countDays, dayRanges, fillDays, stripDays, weekdayOf } from "./day-ranges"

const today = "2026-11-22"
const checked = [
  { day: "2025-11-22", status: "invalid" as const, checks: 1 }, // the day before the first
  { day: "2025-11-23", status: "valid" as const, checks: 1 },
  { day: "2026-11-20", status: "valid" as const, checks: 1 },
  { day: "2026-11-21", status: "valid" as const, checks: 3 },
  { day: "2026-11-22", status: "invalid" as const, checks: 1 },
]

describe("the days of a driver", () => {
  it("are 365 through today, also over the end of summer time", () => {
    const days = fillDays(checked, today)
    expect(days).toHaveLength(stripDays)
    expect(days[0]).toEqual({ day: "2025-11-23", status: "valid" })
    expect(days.at(-1)).toEqual({ day: today, status: "invalid" })
    expect(new Set(days.map(({ day }) => day)).size).toBe(stripDays)
  })

  it("are ranges of one status, newest first", () => {
    expect(dayRanges(fillDays(checked, today))).toEqual([
      { first: "2026-11-22", last: "2026-11-22", status: "invalid" },
      { first: "2026-11-20", last: "2026-11-21", status: "valid" },
      { first: "2025-11-24", last: "2026-11-19", status: "none" },
      { first: "2025-11-23", last: "2025-11-23", status: "valid" },
    ])
  })

  it("are counted by status", () => {
    expect(countDays(fillDays(checked, today))).toEqual([
      { status: "valid", days: 3 },
      { status: "invalid", days: 1 },
      { status: "none", days: 361 },
    ])
    expect(countDays(fillDays([], today))).toEqual([{ status: "none", days: 365 }])
  })

  it.each([
    ["2026-11-22", 6],
    ["2026-11-23", 0],
    ["2026-11-28", 5],
  ])("%s is weekday %i", (day, weekday) => expect(weekdayOf(day)).toBe(weekday))
})
