import { afterEach, describe, expect, it } from "vitest"
import {
  asOfDate,
  formatCalendarDate,
  formatDate,
  formatDateTime,
  formatShortDate,
  formatTime,
} from "./dates"

const at = (instant: string) => asOfDate(Date.parse(instant))
const machineZone = process.env.TZ

describe("Stan na dzień", () => {
  afterEach(() => {
    if (machineZone === undefined) delete process.env.TZ
    else process.env.TZ = machineZone
  })

  it("is yesterday from seven o'clock in Warsaw, and the day before until then", () => {
    expect(at("2026-11-21T06:59:59+01:00")).toBe("2026-11-19")
    expect(at("2026-11-21T07:00:00+01:00")).toBe("2026-11-20")
    expect(at("2026-11-21T23:59:59+01:00")).toBe("2026-11-20")
    expect(at("2026-11-22T00:00:00+01:00")).toBe("2026-11-20")
  })

  it("counts calendar days over the spring clock change, when a day has 23 hours", () => {
    expect(at("2026-03-29T06:59:00+02:00")).toBe("2026-03-27")
    expect(at("2026-03-29T07:00:00+02:00")).toBe("2026-03-28")
    expect(at("2026-03-30T00:30:00+02:00")).toBe("2026-03-28")
    expect(at("2026-03-30T07:00:00+02:00")).toBe("2026-03-29")
  })

  it("counts calendar days over the autumn clock change, when a day has 25 hours", () => {
    expect(at("2026-10-25T02:30:00+02:00")).toBe("2026-10-23")
    expect(at("2026-10-25T02:30:00+01:00")).toBe("2026-10-23")
    expect(at("2026-10-25T06:59:00+01:00")).toBe("2026-10-23")
    expect(at("2026-10-25T07:00:00+01:00")).toBe("2026-10-24")
    expect(at("2026-10-26T07:00:00+01:00")).toBe("2026-10-25")
  })

  it("crosses months and years", () => {
    expect(at("2027-01-01T06:00:00+01:00")).toBe("2026-12-30")
    expect(at("2028-03-01T08:00:00+01:00")).toBe("2028-02-29")
  })

  it.each(["UTC", "America/Los_Angeles", "Pacific/Kiritimati", "Asia/Kathmandu", "Europe/Warsaw"])(
    "does not depend on a browser in %s",
    (zone) => {
      process.env.TZ = zone
      expect(at("2026-11-21T06:59:59+01:00")).toBe("2026-11-19")
      expect(at("2026-11-21T07:00:00+01:00")).toBe("2026-11-20")
      expect(formatCalendarDate("2026-11-20")).toBe("20.11.2026")
      expect(formatDateTime("2026-11-20T23:30:00Z")).toBe("21.11.2026, 00:30")
    },
  )
})

describe("a date", () => {
  it("is in Polish format, with two digits for day and month", () => {
    expect(formatCalendarDate("2026-03-05")).toBe("05.03.2026")
    expect(formatDate("2026-03-05T12:00:00Z")).toBe("05.03.2026")
  })

  it("is the Warsaw date of an instant", () => {
    expect(formatDate("2026-07-31T22:30:00Z")).toBe("01.08.2026")
    expect(formatTime("2026-07-31T22:30:00Z")).toBe("00:30")
  })

  it("of a document ignores a time zone after the date", () => {
    expect(formatCalendarDate("2034-05-17+02:00")).toBe("17.05.2034")
  })

  it("is short in the same year only", () => {
    expect(formatShortDate("2026-10-31", "2026-11-21")).toBe("31.10")
    expect(formatShortDate("2025-10-31", "2026-01-02")).toBe("31.10.2025")
  })
})
