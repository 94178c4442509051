/**
 * Dates in Warsaw time, in Polish format in both languages.
 *
 * A calendar date is a string "YYYY-MM-DD"; an instant is an ISO string with a zone, or
 * milliseconds.
 */

const timeZone = "Europe/Warsaw"

/** Until this hour the panel shows the results of the day before yesterday (docs/rules.md R7). */
const asOfSwitchHour = 7

const warsawParts = new Intl.DateTimeFormat("en-GB", {
  timeZone,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  hourCycle: "h23",
})

const dateFormat = new Intl.DateTimeFormat("pl-PL", {
  timeZone,
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
})

const dateTimeFormat = new Intl.DateTimeFormat("pl-PL", {
  timeZone,
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
})

const calendarDateFormat = new Intl.DateTimeFormat("pl-PL", {
  timeZone: "UTC",
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
})

/**
 * The date of the register data that the panel shows: yesterday from 07:00 on, else the day before
 * (docs/rules.md R8). Counted in calendar days, not in blocks of 24 hours, so that it is right when
 * the clocks change and in a browser of any time zone.
 */
export function asOfDate(now: number): string {
  const parts = new Map(
    warsawParts.formatToParts(now).map(({ type, value }) => [type, Number(value)]),
  )
  const daysBack = (parts.get("hour") ?? 0) >= asOfSwitchHour ? 1 : 2
  const day = Date.UTC(
    parts.get("year") ?? 0,
    (parts.get("month") ?? 1) - 1,
    (parts.get("day") ?? 1) - daysBack,
  )
  return new Date(day).toISOString().slice(0, 10)
}

/** "2026-11-21" → "21.11.2026". */
export function formatCalendarDate(day: string): string {
  return calendarDateFormat.format(Date.parse(`${day.slice(0, 10)}T00:00:00Z`))
}

/** The Warsaw date of an instant, as "21.11.2026". */
export function formatDate(instant: string | number): string {
  return dateFormat.format(typeof instant === "string" ? Date.parse(instant) : instant)
}

/** The Warsaw date and time of an instant, as "21.11.2026, 06:12". */
export function formatDateTime(instant: string | number): string {
  return dateTimeFormat.format(typeof instant === "string" ? Date.parse(instant) : instant)
}
