import { describe, expect, it } from "vitest"
import type { DriverOut } from "~/api/types.gen"
import { driver, verified } from "~/testing/fixtures"
import { checkProgress } from "./check-progress"

const checkedAt = (verifiedAt: string, changes: Partial<DriverOut> = {}) =>
  driver("Jan", "Nowak", verified({ verifiedAt }), changes)
const yesterday = checkedAt("2026-11-21T05:10:00Z")
const today = checkedAt("2026-11-22T05:12:00Z")
const justAfterMidnight = checkedAt("2026-11-21T23:00:00Z")
const beyondLimit = checkedAt("2026-10-01T05:10:00Z", { overLimit: true })
const added = driver("Nowy", "Nowak")

const at = (time: string) => Date.parse(`2026-11-22T${time}:00+01:00`)

describe("the progress of the day's check", () => {
  it.each([
    ["before it", "05:30", [yesterday, yesterday], false, "pending", 0, 2],
    ["while it runs", "06:12", [yesterday, today], false, "running", 1, 2],
    ["once it is over", "06:30", [today, today], false, "current", 2, 2],
    ["the minute before seven", "06:59", [yesterday, today], false, "running", 1, 2],
    ["at seven, with one missing", "07:00", [yesterday, today], false, "late", 1, 2],
    ["at seven, with all missing", "07:00", [yesterday], false, "late", 0, 1],
    ["with a driver of this day", "14:00", [today, added], false, "running", 1, 2],
    ["with nothing but new drivers", "14:00", [added], false, "running", 0, 1],
    ["without those beyond the limit", "14:00", [today, beyondLimit], false, "current", 1, 1],
    ["after midnight in Warsaw", "00:30", [justAfterMidnight], false, "current", 1, 1],
    ["with stale results", "14:00", [today, yesterday], true, "stale", 1, 2],
  ] as const)("%s", (_, time, drivers, stale, state, checked, total) => {
    expect(checkProgress(drivers, at(time), stale)).toMatchObject({ state, checked, total })
  })
})
