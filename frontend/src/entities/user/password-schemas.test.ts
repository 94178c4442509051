import * as v from "valibot"
import { describe, expect, it } from "vitest"
import { vChangePassword, vResetPassword } from "./password-schemas"

type Schema = typeof vResetPassword | typeof vChangePassword

/** The first error of each invalid field. */
function firstErrors(schema: Schema, values: object): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const issue of v.safeParse(schema, values).issues ?? [])
    errors[v.getDotPath(issue) ?? ""] ??= issue.message
  return errors
}

const good = { currentPassword: "Stare1234", newPassword: "Gwizdek7", confirmPassword: "Gwizdek7" }
const errorsOfChange = (changes: object) => firstErrors(vChangePassword, { ...good, ...changes })

describe("a change of password", () => {
  it("is accepted when all three are right", () => {
    expect(errorsOfChange({})).toEqual({})
  })

  it("requires six characters in every field first", () => {
    const empty = { currentPassword: "", newPassword: "", confirmPassword: "" }
    expect(errorsOfChange(empty)).toEqual({
      currentPassword: "short",
      newPassword: "short",
      confirmPassword: "short",
    })
    expect(errorsOfChange({ newPassword: "Abc12", confirmPassword: "Abc12" })).toEqual({
      newPassword: "short",
      confirmPassword: "short",
    })
    expect(errorsOfChange({ currentPassword: "12345" })).toEqual({ currentPassword: "short" })
  })

  it("accepts six characters for the current password, but not for a new one", () => {
    expect(errorsOfChange({ currentPassword: "123456" })).toEqual({})
    expect(errorsOfChange({ newPassword: "Abc123", confirmPassword: "Abc123" })).toEqual({
      newPassword: "weak",
    })
  })

  it("reports a different confirmation, whatever else is invalid", () => {
    expect(
      errorsOfChange({ currentPassword: "", newPassword: "abc", confirmPassword: "Gwizdek8" }),
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
    expect(firstErrors(vResetPassword, { newPassword, confirmPassword })).toEqual(said)
  })
})
