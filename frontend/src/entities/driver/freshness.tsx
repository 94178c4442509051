import { CalendarDays } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { CheckSummaryOut } from "~/api/types.gen"
import { useAsOfDate } from "~/hooks/use-as-of-date"
import { formatCalendarDate, formatDateTime } from "~/lib/dates"
import { countDriversAs } from "~/lib/plurals"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button-link"

/** Whether some results are older than 48 hours, or checking has stopped. */
export function hasStaleResults(summary: CheckSummaryOut | undefined): boolean {
  return summary !== undefined && (summary.checkingStopped || summary.staleCount > 0)
}

/** The register's day, which the figures are of. */
export function AsOfDay() {
  const { t } = useTranslation()
  const day = useAsOfDate()
  return (
    <p className="figures flex items-center gap-2 text-sm font-semibold">
      <CalendarDays aria-hidden className="size-4.5 shrink-0 text-brand" />
      {t("verifications.asOf", { date: formatCalendarDate(day) })}
    </p>
  )
}

/** The banner with the actual date of stale results. */
export function StaleResults({ summary }: { summary: CheckSummaryOut }) {
  const { t } = useTranslation()
  if (!hasStaleResults(summary)) return null
  return (
    <Alert
      tone="caution"
      live="status"
      title={t("dashboard.stale.title")}
      action={
        summary.checkingStopped && (
          <ButtonLink to="/panel/subscription" variant="secondary" size="sm">
            {t("drivers.subscription.choose")}
          </ButtonLink>
        )
      }
    >
      <StaleMessage summary={summary} />
    </Alert>
  )
}

function StaleMessage({ summary }: { summary: CheckSummaryOut }) {
  const { t } = useTranslation()
  const date = summary.oldestVerifiedAt && formatDateTime(summary.oldestVerifiedAt)
  if (summary.checkingStopped) {
    return (
      <p>{date ? t("dashboard.stale.stopped", { date }) : t("dashboard.stale.stoppedNever")}</p>
    )
  }
  return (
    <p>
      {date
        ? t("dashboard.stale.mixed", { ...countDriversAs(summary.staleCount), date })
        : t("dashboard.stale.never")}
    </p>
  )
}
