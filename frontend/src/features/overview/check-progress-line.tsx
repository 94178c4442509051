import { clsx } from "clsx"
import {
  CircleCheck,
  Clock,
  Hourglass,
  type LucideIcon,
  RefreshCw,
  TriangleAlert,
} from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { useLanguage } from "~/hooks/use-language"
import { useProductNow } from "~/hooks/use-product-now"
import { formatDateTime, formatDayMonth, formatTime, formatWeekday, warsawDate } from "~/lib/dates"
import { type CheckProgress, checkProgress } from "./check-progress"

const marks: Record<CheckProgress["state"], [LucideIcon, string]> = {
  current: [CircleCheck, "text-valid"],
  running: [RefreshCw, "text-brand"],
  pending: [Hourglass, "text-ink-soft"],
  late: [TriangleAlert, "text-caution-ink"],
  stale: [Clock, "text-caution-ink"],
}

type CheckProgressLineProps = { drivers: readonly DriverSummaryOut[]; stale: boolean }

/** The day, how many drivers are checked today, and whether that is as it should be. */
export function CheckProgressLine({ drivers, stale }: CheckProgressLineProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const now = useProductNow()
  const today = warsawDate(now)
  const { state, checked, total, lastCheckedAt } = checkProgress(drivers, now, stale)
  const [Icon, tone] = marks[state]
  const weekday = formatWeekday(today, language)

  const describeCounts = () => {
    if (checked > 0 && lastCheckedAt) {
      return t("dashboard.progress.checked", { checked, total, time: formatTime(lastCheckedAt) })
    }
    return lastCheckedAt
      ? t("dashboard.progress.last", { date: formatDateTime(lastCheckedAt) })
      : t("dashboard.progress.never")
  }

  return (
    <p className="figures flex flex-wrap items-center gap-x-2 text-sm">
      <strong className="first-letter:uppercase">{`${weekday} ${formatDayMonth(today)}`}</strong>
      <Dot />
      <span>{describeCounts()}</span>
      <Dot />
      <span className="inline-flex items-center gap-1.5 font-semibold">
        <Icon aria-hidden className={clsx("size-4.5 shrink-0", tone)} />
        {t(`dashboard.progress.${state}`)}
      </span>
    </p>
  )
}

function Dot() {
  return (
    <span aria-hidden className="text-ink-soft max-sm:hidden">
      ·
    </span>
  )
}
