import * as v from "valibot"
import { describe, expect, it } from "vitest"
import { passwordRules, vLogin, vRegistrationForm } from "./credentials"

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
