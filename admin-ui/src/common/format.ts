/** Dates, numbers and amounts as people write them, in Polish time. */

import { useMemo } from "react"
import { useLocaleState } from "react-admin"

const ZONE = "Europe/Warsaw"
const MINUTE_MS = 60_000

const isoDay = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE })

/** The day of a moment in Poland, as YYYY-MM-DD. */
export const polishDay = (moment: string) => isoDay.format(new Date(moment))

/** Dates and amounts are Polish in both languages, as in the panel. */
export function createFormat(locale: string) {
  const tag = locale === "pl" ? "pl-PL" : "en-GB"
  const day = { day: "2-digit", month: "2-digit", year: "numeric", timeZone: ZONE } as const
  const amount = { style: "currency", currency: "PLN", useGrouping: "always" } as const
  const dateTime = new Intl.DateTimeFormat("pl-PL", { ...day, hour: "2-digit", minute: "2-digit" })
  const date = new Intl.DateTimeFormat("pl-PL", day)
  const time = new Intl.DateTimeFormat(tag, { timeStyle: "short", timeZone: ZONE })
  const shortDay = new Intl.DateTimeFormat(tag, {
    day: "numeric",
    month: "numeric",
    timeZone: ZONE,
  })
  const month = new Intl.DateTimeFormat(tag, { month: "short", year: "numeric", timeZone: ZONE })
  const percent = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 1 })
  const number = new Intl.NumberFormat(tag)

  return {
    dateTime: (value: string) => dateTime.format(new Date(value)),
    date: (value: string) => date.format(new Date(value)),
    time: (value: string) => time.format(new Date(value)),
    shortDay: (value: string) => shortDay.format(new Date(value)),
    month: (value: string) => month.format(new Date(`${value.slice(0, 7)}-15`)),
    number: (value: number) => number.format(value),
    percent: (part: number, whole: number) => percent.format(whole === 0 ? 0 : part / whole),
    money: (grosze: number, currency = "PLN") =>
      new Intl.NumberFormat("pl-PL", { ...amount, currency }).format(grosze / 100),
    wholeMoney: (grosze: number) =>
      new Intl.NumberFormat("pl-PL", { ...amount, maximumFractionDigits: 0 }).format(grosze / 100),
    /** How long ago, in the greatest fitting unit. */
    age: (value: string, now = Date.now()) => {
      const minutes = Math.round((new Date(value).getTime() - now) / MINUTE_MS)
      const relative = new Intl.RelativeTimeFormat(tag, { numeric: "auto" })
      if (Math.abs(minutes) < 60) return relative.format(minutes, "minute")
      if (Math.abs(minutes) < 48 * 60) return relative.format(Math.round(minutes / 60), "hour")
      return relative.format(Math.round(minutes / (24 * 60)), "day")
    },
  }
}

/** The formats of the chosen language. */
export function useFormat() {
  const [locale] = useLocaleState()
  return useMemo(() => createFormat(locale), [locale])
}

/** Reads an amount in złoty, as typed, into grosze; null unless it is one. */
export function parseZloty(text: string): number | null {
  const compact = text.replace(/[\s\p{Cf}]|zł$|pln$/giu, "").replace(",", ".")
  return /^\d+(\.\d{1,2})?$/.test(compact) ? Math.round(Number(compact) * 100) : null
}

export const toZloty = (grosze: number) => (grosze / 100).toFixed(2).replace(".", ",")
