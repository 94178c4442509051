/**
 * Dates as the product says them: Warsaw's wall clock, written the Polish way in both languages.
 *
 * A day is a string "YYYY-MM-DD"; an instant is an ISO string with a zone, or milliseconds.
 */

const zone = "Europe/Warsaw"

/** Until this hour the panel still shows the state of the day before yesterday (reading R7). */
const switchesAtHour = 7

const wallClock = new Intl.DateTimeFormat("en-GB", {
  timeZone: zone,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  hourCycle: "h23",
})

const polishDay = new Intl.DateTimeFormat("pl-PL", {
  timeZone: zone,
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
})

const polishMoment = new Intl.DateTimeFormat("pl-PL", {
  timeZone: zone,
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
})

const calendarDay = new Intl.DateTimeFormat("pl-PL", {
  timeZone: "UTC",
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
})

/**
 * The day whose state of the register the panel shows: yesterday from 07:00 on, else the day
 * before (reading R8). Days are counted on the calendar, never in blocks of 24 hours, so the
 * answer is right on both days of the clock change and in a browser of any zone.
 */
export function asOfDay(now: number): string {
  const part = new Map(wallClock.formatToParts(now).map(({ type, value }) => [type, Number(value)]))
  const back = (part.get("hour") ?? 0) >= switchesAtHour ? 1 : 2
  const day = Date.UTC(
    part.get("year") ?? 0,
    (part.get("month") ?? 1) - 1,
    (part.get("day") ?? 1) - back,
  )
  return new Date(day).toISOString().slice(0, 10)
}

/** "2026-11-21" → "21.11.2026". */
export function formatDay(day: string): string {
  return calendarDay.format(Date.parse(`${day.slice(0, 10)}T00:00:00Z`))
}

/** The Warsaw day of an instant, as "21.11.2026". */
export function formatDate(instant: string | number): string {
  return polishDay.format(typeof instant === "string" ? Date.parse(instant) : instant)
}

/** The Warsaw day and time of an instant, as "21.11.2026, 06:12". */
export function formatMoment(instant: string | number): string {
  return polishMoment.format(typeof instant === "string" ? Date.parse(instant) : instant)
}
