import * as v from "valibot"
import { describe, expect, it } from "vitest"
import { passwordRules, vLogin, vRegistrationForm } from "./credentials"

const anna = {
  email: "anna@acme.test",
  password: "Gwizdek7",
  confirmPassword: "Gwizdek7",
  terms: true,
}
const refusedFields = (changes: object) =>
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
  ])("is measured while it is typed: %s", (password, rules) => {
    expect(passwordRules(password)).toEqual(rules)
  })

  it("may be as long as somebody likes", () => {
    const long = `Aa1${"x".repeat(300)}`
    expect(refusedFields({ password: long, confirmPassword: long })).toBeUndefined()
  })
})

describe("a registration", () => {
  it("is accepted when everything is there", () => {
    expect(refusedFields({})).toBeUndefined()
  })

  it("needs an address, an acceptable password, the same one again, and the terms", () => {
    expect(refusedFields({ email: "anna@" })).toEqual(["email"])
    expect(refusedFields({ password: "krótkie", confirmPassword: "krótkie" })).toEqual(["password"])
    expect(refusedFields({ confirmPassword: "Gwizdek8" })).toEqual(["confirmPassword"])
    expect(refusedFields({ terms: false })).toEqual(["terms"])
  })

  it("names a differing confirmation also while the terms are missing", () => {
    expect(refusedFields({ confirmPassword: "x", terms: false })).toEqual([
      "terms",
      "confirmPassword",
    ])
  })
})

describe("a login", () => {
  it("asks for no more than an address and something typed: older passwords follow older rules", () => {
    expect(v.is(vLogin, { email: "anna@acme.test", password: "x" })).toBe(true)
    expect(v.is(vLogin, { email: "anna@acme.test", password: "" })).toBe(false)
  })

  it("takes the blanks off a pasted address", () => {
    expect(v.parse(vLogin, { email: " anna@acme.test ", password: "x" }).email).toBe(
      "anna@acme.test",
    )
  })
})
