import { Fragment, type ReactNode, useMemo } from "react"
import { useTranslation } from "react-i18next"
import type { CheckSummaryOut, DriverSummaryOut } from "~/api/types.gen"
import { useProductNow } from "~/hooks/use-product-now"
import { asOfDate, formatCalendarDate, formatDateTime } from "~/lib/dates"
import { countDriversAs } from "~/lib/plurals"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button-link"
import { findDailyCheck } from "./driver"

/** Whether some results are older than 48 hours, or checking has stopped. */
export function hasStaleResults(summary: CheckSummaryOut | undefined): boolean {
  return summary !== undefined && (summary.checkingStopped || summary.staleCount > 0)
}

/**
 * The two days of what is shown: when the drivers were checked, undefined before the first check and
 * with `counts` for how many, and which day the register shows.
 */
export function useDataDays(
  drivers: readonly DriverSummaryOut[],
  counts?: { checked: number; total: number },
) {
  const { t } = useTranslation()
  const date = formatCalendarDate(asOfDate(useProductNow()))
  const check = useMemo(() => findDailyCheck(drivers), [drivers])
  const at = check && formatDateTime(check.until)
  const checked = counts?.checked
    ? t("dashboard.progress.checked", { date: at, ...counts })
    : t("verifications.checked", { date: at })
  return { checked: at && checked, asOf: t("verifications.asOf", { date }) }
}

type FactLineProps = { facts: readonly (string | false | undefined)[]; children?: ReactNode }

/** Facts about the data on one line, behind an icon. */
export function FactLine({ facts, children }: FactLineProps) {
  return (
    <p className="figures flex flex-wrap items-center gap-x-2 text-sm font-semibold max-sm:text-xs">
      {children}
      {facts
        .filter((fact) => fact)
        .map((fact, index) => (
          <Fragment key={fact || index}>
            {index > 0 && (
              <span aria-hidden className="text-ink-soft max-sm:hidden">
                ·
              </span>
            )}
            <span>{fact}</span>
          </Fragment>
        ))}
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
