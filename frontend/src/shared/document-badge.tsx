import { CalendarX2, Clock, SearchX, UserRoundX } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverOut, VerificationOut } from "~/api/types.gen"
import { formatDate } from "~/shared/dates"
import { documentTone, isExpired, latestOf } from "~/shared/document-state"
import { Badge, Chip } from "~/ui/badge"

/** The document's state as the register words it, and a second word when it has run out. */
export function DocumentBadge({ verification }: { verification: VerificationOut | undefined }) {
  const { t } = useTranslation()
  const state = verification?.documentStatus
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Badge tone={documentTone(state)}>{state || t("verifications.unknown")}</Badge>
      {isExpired(verification) && <Chip icon={CalendarX2}>{t("verifications.chips.expired")}</Chip>}
      {verification?.status === "not_found" && (
        <Chip icon={SearchX}>{t("verifications.chips.notFound")}</Chip>
      )}
    </span>
  )
}

/** A driver's badge with everything about it that a glance at the table must not miss. */
export function DriverState({ driver }: { driver: DriverOut }) {
  const { t } = useTranslation()
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <DocumentBadge verification={latestOf(driver)} />
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
