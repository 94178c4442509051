import { CalendarDays } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { CheckSummaryOut } from "~/api/types.gen"
import { formatDay, formatMoment } from "~/shared/dates"
import { useAsOfDay } from "~/shared/use-as-of-day"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button"

/** Whether the figures stand on results nobody has checked for 48 hours, or checking has stopped. */
export function isStale(summary: CheckSummaryOut | undefined): boolean {
  return summary !== undefined && (summary.checkingStopped || summary.staleCount > 0)
}

/** The day the figures are of; over stale results a banner with the true date stands instead. */
export function Freshness({ summary }: { summary: CheckSummaryOut | undefined }) {
  const { t } = useTranslation()
  const day = useAsOfDay()

  if (!summary || !isStale(summary)) {
    return (
      <p className="figures flex items-center gap-2 font-semibold">
        <CalendarDays aria-hidden className="size-5 shrink-0 text-brand" />
        {t("verifications.asOf", { date: formatDay(day) })}
      </p>
    )
  }
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
      <StaleText summary={summary} />
    </Alert>
  )
}

function StaleText({ summary }: { summary: CheckSummaryOut }) {
  const { t } = useTranslation()
  const date = summary.oldestVerifiedAt && formatMoment(summary.oldestVerifiedAt)
  if (summary.checkingStopped) {
    return (
      <p>{date ? t("dashboard.stale.stopped", { date }) : t("dashboard.stale.stoppedNever")}</p>
    )
  }
  return (
    <p>
      {date
        ? t("dashboard.stale.mixed", { count: summary.staleCount, date })
        : t("dashboard.stale.never")}
    </p>
  )
}
