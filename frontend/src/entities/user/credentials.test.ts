import * as v from "valibot"
import { describe, expect, it } from "vitest"
import {
  passwordRules,
  vChangePassword,
  vLogin,
  vRegistrationForm,
  vResetPassword,
} from "./credentials"

const anna = {
  email: "anna@acme.test",
  password: "Gwizdek7",
  confirmPassword: "Gwizdek7",
  terms: true,
}
const invalidFields = (changes: object) =>
  v
    .safeParse(vRegistrationForm, { ...anna, ...changes })
    .issues?.map((issue) => v.getDotPath(issue))

describe("a new password", () => {
  it.each([
    ["", { length: false, uppercase: false, digit: false }],
    ["gwizdek", { length: false, uppercase: false, digit: false }],
    ["gwizdekk", { length: true, uppercase: false, digit: false }],
    ["Gwizdekk", { length: true, uppercase: true, digit: false }],
    ["Gwizdek7", { length: true, uppercase: true, digit: true }],
    ["ŻÓŁW żółw 1", { length: true, uppercase: true, digit: true }],
    ["😀😀😀A1", { length: false, uppercase: true, digit: true }],
    ["😀😀😀😀😀😀A1", { length: true, uppercase: true, digit: true }],
  ])("is checked against each rule: %s", (password, rules) => {
    expect(passwordRules(password)).toEqual(rules)
  })

  it("has no maximum length", () => {
    const long = `Aa1${"x".repeat(300)}`
    expect(invalidFields({ password: long, confirmPassword: long })).toBeUndefined()
  })
})

describe("a registration", () => {
  it("is accepted when everything is there", () => {
    expect(invalidFields({})).toBeUndefined()
  })

  it("needs an address, an acceptable password, the same one again, and the terms", () => {
    expect(invalidFields({ email: "anna@" })).toEqual(["email"])
    expect(invalidFields({ password: "krótkie", confirmPassword: "krótkie" })).toEqual(["password"])
    expect(invalidFields({ confirmPassword: "Gwizdek8" })).toEqual(["confirmPassword"])
    expect(invalidFields({ terms: false })).toEqual(["terms"])
  })

  it("reports a different confirmation although the terms are missing", () => {
    expect(invalidFields({ confirmPassword: "x", terms: false })).toEqual([
      "terms",
      "confirmPassword",
    ])
  })
})

describe("a login", () => {
  it("requires an address and any password: older passwords follow older rules", () => {
    expect(v.is(vLogin, { email: "anna@acme.test", password: "x" })).toBe(true)
    expect(v.is(vLogin, { email: "anna@acme.test", password: "" })).toBe(false)
  })

  it("trims a pasted address", () => {
    expect(v.parse(vLogin, { email: " anna@acme.test ", password: "x" }).email).toBe(
      "anna@acme.test",
    )
  })
})

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
