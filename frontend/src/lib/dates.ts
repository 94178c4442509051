/**
 * Dates in Warsaw time, in Polish format in both languages.
 *
 * A calendar date is a string "YYYY-MM-DD"; an instant is an ISO string with a zone, or
 * milliseconds.
 */

const timeZone = "Europe/Warsaw"

/** Until this hour the panel shows the results of the day before yesterday (docs/rules.md R7). */
const asOfSwitchHour = 7

/** Of calendar dates, which are in UTC here: no day has 23 or 25 hours. */
const dayMs = 86_400_000

const warsawParts = new Intl.DateTimeFormat("en-GB", {
  timeZone,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  hourCycle: "h23",
})

const date = { day: "2-digit", month: "2-digit", year: "numeric" } as const
const time = { hour: "2-digit", minute: "2-digit" } as const
const dateFormat = new Intl.DateTimeFormat("pl-PL", { timeZone, ...date })
const dateTimeFormat = new Intl.DateTimeFormat("pl-PL", { timeZone, ...date, ...time })
const timeFormat = new Intl.DateTimeFormat("pl-PL", { timeZone, ...time })

/**
 * The date of the register data that the panel shows: yesterday from 07:00 on, else the day before
 * (docs/rules.md R8). Counted in calendar days, not in blocks of 24 hours, so that it is right when
 * the clocks change and in a browser of any time zone.
 */
export function asOfDate(now: number): string {
  return dateBefore(partsOf(now), isBeforeAsOfSwitch(now) ? 2 : 1)
}

/** Whether it is before 07:00 in Warsaw: the day's check may still run. */
export function isBeforeAsOfSwitch(now: number): boolean {
  return (partsOf(now).get("hour") ?? 0) < asOfSwitchHour
}

/** The calendar date in Warsaw. */
export function warsawDate(now: number): string {
  return dateBefore(partsOf(now), 0)
}

/** Calendar days from `today` to `day`; negative when that is over. */
export function daysUntil(day: string, today: string): number {
  return (Date.parse(day.slice(0, 10)) - Date.parse(today)) / dayMs
}

type Parts = ReadonlyMap<string, number>

function partsOf(now: number): Parts {
  return new Map(warsawParts.formatToParts(now).map(({ type, value }) => [type, Number(value)]))
}

function dateBefore(parts: Parts, days: number): string {
  const day = Date.UTC(
    parts.get("year") ?? 0,
    (parts.get("month") ?? 1) - 1,
    (parts.get("day") ?? 1) - days,
  )
  return new Date(day).toISOString().slice(0, 10)
}

/** The calendar date so many days before another. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)
}

/** How long ago a day was, in words: "dzisiaj", "wczoraj", "5 dni temu". */
export function formatDaysAgo(day: string, today: string, language: "pl" | "en"): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" })
  return format.format(daysUntil(day, today), "day")
}

/** "2026-11-21" → "21.11.2026". */
export function formatCalendarDate(day: string): string {
  return `${day.slice(8, 10)}.${day.slice(5, 7)}.${day.slice(0, 4)}`
}

/** As short as it is clear on the day `today`: "21.11" in the same year, else "21.11.2025". */
export function formatShortDate(day: string, today: string): string {
  const date = formatCalendarDate(day)
  return day.slice(0, 4) === today.slice(0, 4) ? date.slice(0, 5) : date
}

/** The Warsaw date of an instant, as "21.11.2026". */
export function formatDate(instant: string | number): string {
  return dateFormat.format(typeof instant === "string" ? Date.parse(instant) : instant)
}

/** The Warsaw date and time of an instant, as "21.11.2026, 06:12". */
export function formatDateTime(instant: string | number): string {
  return dateTimeFormat.format(typeof instant === "string" ? Date.parse(instant) : instant)
}

/** The Warsaw time of an instant, as "06:12". */
export function formatTime(instant: string): string {
  return timeFormat.format(Date.parse(instant))
}
