import { useGetList, useTranslate } from "react-admin"
import { polishDay, useFormat } from "../common/format.ts"
import { polling } from "../common/polling.ts"
import type { CheckRun } from "./CheckRun.ts"

const latest = {
  pagination: { page: 1, perPage: 1 },
  sort: { field: "day", order: "DESC" },
} as const

/** "Today's check", or the day of the run: before the morning's the latest is yesterday's. */
export function useRunTitle(run: CheckRun | undefined): string {
  const translate = useTranslate()
  const format = useFormat()
  const isTodays = !run || run.day === polishDay(new Date().toISOString())
  return isTodays
    ? translate("console.check.title")
    : translate("console.check.titleOfDay", { day: format.date(run.day) })
}

/** The latest run, as it goes on. */
export function useTodaysRun() {
  const { data, error, isPending, refetch } = useGetList<CheckRun>("check-runs", latest, polling)
  return { run: data?.[0], error, isPending, refetch }
}
