import { describe, expect, it } from "vitest"
import type { DriverOut } from "~/api/types.gen"
import { driver, notFound, unusual, verified, withheld } from "~/testing/fixtures"
import { type ActRights, firstAct, listActs } from "./driver-acts"
import { mayDrive } from "./may-drive"

const today = "2026-11-21"
const everything = { canEdit: true, mayAcknowledge: true }
const nothing = { canEdit: false, mayAcknowledge: false }
const open = { since: "2026-11-20T05:10:00Z", reasons: [], acknowledgement: null }
const entry = { id: "1", note: "", createdAt: "2026-11-20T06:00:00Z", createdBy: null }
const closed = { ...open, acknowledgement: entry }
const named = (...facts: [Parameters<typeof driver>[2]?, Partial<DriverOut>?]) =>
  driver("Jan", "Nowak", ...facts)

describe("what a driver needs first", () => {
  it.each<[string, DriverOut, ActRights, string]>([
    ["withheld", named(withheld, { episode: open }), everything, "acknowledge"],
    ["withheld and off the road", named(withheld, { episode: closed }), everything, "check"],
    ["withheld, for an operator", named(withheld, { episode: open }), nothing, "history"],
    ["unknown to the register", named(notFound, { episode: open }), everything, "edit"],
    ["unknown, without a plan", named(notFound, { episode: open }), nothing, "history"],
    ["of another state", named(unusual, { episode: null }), everything, "check"],
    ["over the limit", named(unusual, { episode: null, overLimit: true }), everything, "history"],
    ["without a result yet", named(), everything, "history"],
    ["who may drive", named(verified()), everything, "history"],
  ])("%s", (_, one, rights, expected) => {
    expect(firstAct(one, mayDrive(one, today), rights)).toBe(expected)
    expect(listActs(one, rights)).toContain(expected)
  })

  it("is among what can be done, in the order of the menu", () => {
    const one = named(withheld, { episode: open })
    const acts = ["open", "acknowledge", "check", "history", "edit", "delete"]
    expect(listActs(one, everything)).toEqual(acts)
    expect(listActs(one, nothing)).toEqual(["open", "history", "delete"])
  })
})
