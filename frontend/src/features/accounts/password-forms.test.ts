import * as v from "valibot"
import { describe, expect, it } from "vitest"
import { vNewPassword, vPasswordChange } from "./password-forms"

type Schema = typeof vNewPassword | typeof vPasswordChange

/** Each refused field with the first thing said about it. */
function refused(schema: Schema, typed: object): Record<string, string> {
  const said: Record<string, string> = {}
  for (const issue of v.safeParse(schema, typed).issues ?? [])
    said[v.getDotPath(issue) ?? ""] ??= issue.message
  return said
}

const good = { currentPassword: "Stare1234", newPassword: "Gwizdek7", confirmPassword: "Gwizdek7" }
const change = (changes: object) => refused(vPasswordChange, { ...good, ...changes })

describe("a change of password", () => {
  it("is accepted when all three are right", () => {
    expect(change({})).toEqual({})
  })

  it("first asks for six characters, in every field", () => {
    const empty = { currentPassword: "", newPassword: "", confirmPassword: "" }
    expect(change(empty)).toEqual({
      currentPassword: "short",
      newPassword: "short",
      confirmPassword: "short",
    })
    expect(change({ newPassword: "Abc12", confirmPassword: "Abc12" })).toEqual({
      newPassword: "short",
      confirmPassword: "short",
    })
    expect(change({ currentPassword: "12345" })).toEqual({ currentPassword: "short" })
  })

  it("takes six characters for the present password, and not for a new one", () => {
    expect(change({ currentPassword: "123456" })).toEqual({})
    expect(change({ newPassword: "Abc123", confirmPassword: "Abc123" })).toEqual({
      newPassword: "weak",
    })
  })

  it("names a differing repetition, whatever else is wrong", () => {
    expect(
      change({ currentPassword: "", newPassword: "abc", confirmPassword: "Gwizdek8" }),
    ).toEqual({
      currentPassword: "short",
      newPassword: "short",
      confirmPassword: "mismatch",
    })
  })
})

describe("a new password in place of a forgotten one", () => {
  it.each([
    ["Gwizdek7", "Gwizdek7", {}],
    ["gwizdek7", "gwizdek7", { newPassword: "weak" }],
    ["Gwizdek7", "", { confirmPassword: "mismatch" }],
    ["", "x", { newPassword: "weak", confirmPassword: "mismatch" }],
  ])("%j and %j: %j", (newPassword, confirmPassword, said) => {
    expect(refused(vNewPassword, { newPassword, confirmPassword })).toEqual(said)
  })
})
