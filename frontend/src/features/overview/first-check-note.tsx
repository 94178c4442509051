import { useTranslation } from "react-i18next"
import type { CheckSummaryOut } from "~/api/types.gen"
import { driverListPath } from "~/entities/driver/driver-filter"
import { countDriversAs } from "~/lib/plurals"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button-link"

type FirstCheckNoteProps = { count: number; summary: CheckSummaryOut | undefined }

/** How many drivers have never been checked: they are in none of the two counts of results. */
export function FirstCheckNote({ count, summary }: FirstCheckNoteProps) {
  const { t } = useTranslation()
  if (count === 0) return null
  const stopped = summary?.checkingStopped === true
  return (
    <Alert
      tone={stopped ? "caution" : "info"}
      live="status"
      title={t(
        stopped ? "dashboard.firstCheck.stopped" : "dashboard.firstCheck.waiting",
        countDriversAs(count),
      )}
      action={
        <ButtonLink to={driverListPath("waiting")} variant="secondary" size="sm">
          {t("dashboard.firstCheck.show")}
        </ButtonLink>
      }
    >
      <p>{t("dashboard.firstCheck.text")}</p>
    </Alert>
  )
}
