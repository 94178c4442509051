import { expect, test } from "vitest"
import { createFormat, parseZloty, polishDay, toZloty } from "./format.ts"

const polish = createFormat("pl")

test.each([
  ["123,45", 12_345],
  ["123.4", 12_340],
  ["1 234", 123_400],
  ["0,07", 7],
  ["", null],
  ["12,345", null],
  ["-5", null],
  ["dwa", null],
])("the amount %j is %j grosze", (text, grosze) => {
  expect(parseZloty(text)).toBe(grosze)
})

test("an amount survives its input", () => {
  expect(parseZloty(toZloty(24_609))).toBe(24_609)
})

test.each(["pl", "en"])("moments and amounts are Polish in the language %s", (language) => {
  const format = createFormat(language)
  expect(format.dateTime("2026-11-21T23:30:00Z")).toBe("22.11.2026, 00:30")
  expect(format.date("2026-11-21T23:30:00Z")).toBe("22.11.2026")
  expect(format.money(405_777)).toBe("4\u00a0057,77\u00a0zł")
})

test("a month is the one named, whatever the zone", () => {
  expect(polish.month("2026-11")).toBe("lis 2026")
})

test("an age is given in its greatest fitting unit", () => {
  const now = Date.parse("2026-11-22T12:00:00Z")
  expect(polish.age("2026-11-22T11:35:00Z", now)).toBe("25 minut temu")
  expect(polish.age("2026-11-22T07:00:00Z", now)).toBe("5 godzin temu")
  expect(polish.age("2026-11-12T12:00:00Z", now)).toBe("10 dni temu")
})

test("the day of a moment is the one in Poland", () => {
  expect(polishDay("2026-11-21T22:59:59Z")).toBe("2026-11-21")
  expect(polishDay("2026-11-21T23:00:00Z")).toBe("2026-11-22")
})
