import { expect, test, vi } from "vitest"
import { createFormat, parseZloty, polishDay, toZloty } from "./format.ts"

const polish = createFormat("pl")
const english = createFormat("en")

test.each([
  ["123,45", 12_345],
  ["123.4", 12_340],
  ["1 234", 123_400],
  ["0,07", 7],
  ["1\u202f234,50\u00a0zł", 123_450],
  ["\u200b7 PLN", 700],
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
  expect(polish.month("2026-11-30")).toBe("lis 2026")
  expect(english.month("2026-11")).toBe("Nov 2026")
})

test.each(["UTC", "America/New_York", "Asia/Tokyo"])("times are Polish in the zone %s", (zone) => {
  vi.stubEnv("TZ", zone)
  const format = createFormat("pl")
  expect(format.time("2026-11-21T23:30:00Z")).toBe("00:30")
  expect(format.shortDay("2026-11-21T23:30:00Z")).toBe("22.11")
  expect(format.month("2026-11")).toBe("lis 2026")
  vi.unstubAllEnvs()
})

test("numbers and shares are written as in the language", () => {
  expect(polish.number(1_234_567)).toBe("1\u00a0234\u00a0567")
  expect(english.number(1_234_567)).toBe("1,234,567")
  expect(polish.percent(1, 8)).toBe("12,5%")
  expect(english.percent(1, 8)).toBe("12.5%")
  expect(polish.percent(0, 0)).toBe("0%")
})

test("an amount keeps its currency, and a rounded one has no grosze", () => {
  expect(polish.money(405_777, "EUR")).toBe("4\u00a0057,77\u00a0€")
  expect(english.wholeMoney(405_777)).toBe("4\u00a0058\u00a0zł")
})

test("an age is given in its greatest fitting unit", () => {
  const now = Date.parse("2026-11-22T12:00:00Z")
  expect(polish.age("2026-11-22T11:35:00Z", now)).toBe("25 minut temu")
  expect(polish.age("2026-11-22T07:00:00Z", now)).toBe("5 godzin temu")
  expect(polish.age("2026-11-21T12:00:00Z", now)).toBe("24 godziny temu")
  expect(polish.age("2026-11-20T12:00:00Z", now)).toBe("przedwczoraj")
  expect(polish.age("2026-11-12T12:00:00Z", now)).toBe("10 dni temu")
  expect(english.age("2026-11-22T11:35:00Z", now)).toBe("25 minutes ago")
})

test("the day of a moment is the one in Poland", () => {
  expect(polishDay("2026-11-21T22:59:59Z")).toBe("2026-11-21")
  expect(polishDay("2026-11-21T23:00:00Z")).toBe("2026-11-22")
})
