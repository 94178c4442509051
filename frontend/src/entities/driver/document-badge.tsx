import { CalendarX2, Clock, SearchX, UserRoundX } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut, VerificationSummaryOut } from "~/api/types.gen"
import { documentTone, isExpired } from "~/entities/driver/document-status"
import { latestVerification } from "~/entities/driver/driver"
import { formatDate } from "~/lib/dates"
import { Badge, Chip } from "~/ui/badge"

/** The document's status in the register's own words, with a chip when it has expired. */
export function DocumentBadge({
  verification,
}: {
  verification: VerificationSummaryOut | undefined
}) {
  const { t } = useTranslation()
  const status = verification?.documentStatus
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Badge tone={documentTone(status)}>{status || t("verifications.unknown")}</Badge>
      {isExpired(verification) && <Chip icon={CalendarX2}>{t("verifications.chips.expired")}</Chip>}
      {verification?.status === "not_found" && (
        <Chip icon={SearchX}>{t("verifications.chips.notFound")}</Chip>
      )}
    </span>
  )
}

/** The status badge of a driver, with a chip for every reason to pay attention. */
export function DriverStatusBadges({ driver }: { driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <DocumentBadge verification={latestVerification(driver)} />
      {driver.staleSince && (
        <Chip icon={Clock}>
          {t("verifications.chips.stale", { date: formatDate(driver.staleSince) })}
        </Chip>
      )}
      {driver.overLimit && (
        <Chip icon={UserRoundX} tone="neutral">
          {t("verifications.chips.overLimit")}
        </Chip>
      )}
    </span>
  )
}
