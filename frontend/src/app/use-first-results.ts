import { useQuery } from "@tanstack/react-query"
import type { TFunction } from "i18next"
import { useEffect, useRef } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import {
  awaitsFirstCheck,
  fullName,
  isWithheld,
  latestVerification,
} from "~/entities/driver/driver"
import { mayDrive, resultTone } from "~/entities/driver/may-drive"
import { driverListOptions } from "~/entities/driver/use-driver-list"
import { useProductToday } from "~/hooks/use-product-now"
import { formatCalendarDate } from "~/lib/dates"
import { countDriversAs } from "~/lib/plurals"
import { showToast } from "~/lib/toasts"

/** Milliseconds after which the call that fetched the list has announced its own outcome. */
const callDelay = 300

/**
 * Shows the result of a driver's first check in a toast, on every screen of the panel.
 *
 * For several drivers there is one toast, after the last check. A withheld licence is reported at
 * once; if several are found together, the toast shows their number among all checked drivers.
 */
export function useFirstResults(): void {
  const { t } = useTranslation()
  const today = useProductToday()
  const { data } = useQuery({ ...driverListOptions(), enabled: false })
  const waiting = useRef<ReadonlySet<string>>(new Set())
  const answered = useRef<readonly DriverSummaryOut[]>([])

  useEffect(() => {
    if (!data) return
    const news = data.filter(({ id }) => waiting.current.has(id)).filter(latestVerification)
    answered.current = [...answered.current, ...news]
    waiting.current = new Set(data.filter(awaitsFirstCheck).map(({ id }) => id))
    const withheld = news.filter(isWithheld)
    const isLast = waiting.current.size === 0
    if (answered.current.length === 0 || !(isLast || withheld.length > 0)) return
    const toast = describeResults(t, withheld.length === 1 ? withheld : answered.current, today)
    window.setTimeout(() => showToast({ ...toast, isNews: true }), callDelay)
    if (isLast) answered.current = []
  }, [data, t, today])
}

function describeResults(t: TFunction, drivers: readonly DriverSummaryOut[], today: string) {
  const [first] = drivers
  if (first && drivers.length === 1) return describeResult(t, first, today)
  const withheld = drivers.filter(isWithheld).length
  const allMayDrive = drivers.every((one) => mayDrive(one, today) === "yes")
  return {
    tone: resultTone(withheld > 0 ? "invalid" : "valid", allMayDrive ? "yes" : "check"),
    title: t("drivers.firstResult.many", countDriversAs(drivers.length)),
    description: t("drivers.firstResult.manyWithheld", { number: withheld }),
  }
}

function describeResult(t: TFunction, driver: DriverSummaryOut, today: string) {
  const latest = latestVerification(driver)
  const answer = mayDrive(driver, today)
  const isLapsed = latest?.status === "valid" && answer === "no"
  const status = isLapsed ? "attention" : (latest?.status ?? "unknown")
  const tone = resultTone(status, answer)
  const state = latest?.documentStatus ?? t("verifications.outcome.not_found")
  const title = t("drivers.firstResult.one", { name: fullName(driver), state })
  if (status === "invalid") {
    return { tone, title, description: t("drivers.firstResult.invalid") }
  }
  if (status !== "valid") {
    return { tone, title, description: t(`drivers.firstResult.${status}`) }
  }
  const { expiryDate } = latest ?? {}
  return {
    tone,
    title,
    description: expiryDate
      ? t("drivers.firstResult.validUntil", { date: formatCalendarDate(expiryDate) })
      : undefined,
  }
}
