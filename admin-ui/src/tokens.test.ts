import { expect, test } from "vitest"
import css from "../../frontend/src/app/tokens.css?raw"
import { readTokens, toHex } from "./tokens.ts"

test.each([
  ["oklch(1 0 0)", "#ffffff"],
  ["oklch(0 0 0)", "#000000"],
  ["oklch(0.627955 0.257683 29.2339)", "#ff0000"],
  ["oklch(0.86644 0.294827 142.4953)", "#00ff00"],
  ["oklch(1 0 0 / 0.5)", "#ffffff80"],
])("%s is %s", (oklch, hex) => {
  expect(toHex(oklch)).toBe(hex)
})

test("a scheme has its own half of a colour, and shares the colours that have one", () => {
  const light = readTokens(css, "light")
  const dark = readTokens(css, "dark")
  expect(light.color("surface")).toBe("#ffffff")
  expect(dark.color("surface")).not.toBe("#ffffff")
  expect(dark.color("sidebar-ink")).toBe(light.color("sidebar-ink"))
  expect(light.radius("lg")).toBe(12)
})

test("a removed token is an error, not a missing colour", () => {
  expect(() => readTokens(css, "light").color("mauve")).toThrow("--color-mauve is missing")
})
