import { clsx } from "clsx"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgementAction, AcknowledgementNote } from "~/entities/driver/acknowledgement"
import { useMayAcknowledge } from "~/entities/driver/acknowledgement-calls"
import { CategoryProblemChips, ExpiryChips } from "~/entities/driver/document-badge"
import type { AttentionReason } from "~/entities/driver/document-status"
import { fullName, latestVerification, problemCategories } from "~/entities/driver/driver"
import { firstAct } from "~/entities/driver/driver-acts"
import { marks, mayDrive } from "~/entities/driver/may-drive"
import { isActive, useSubscription } from "~/entities/subscription/use-subscription"
import { formatCalendarDate, formatDate } from "~/lib/dates"
import { Chip } from "~/ui/badge"
import { ButtonLink } from "~/ui/button-link"
import { QueueRow } from "./queue-row"

type ChipReason = Exclude<AttentionReason, "needed_category" | "category_expired" | "expires_soon">

type AttentionRowProps = {
  driver: DriverSummaryOut
  reasons: readonly AttentionReason[]
  today: string
  isFirstOpen: boolean
  onAcknowledged: () => void
}

/** A driver with the reasons, the way to the driver, and whether it was taken off the road. */
export function AttentionRow(props: AttentionRowProps) {
  const { driver, reasons, today, isFirstOpen, onAcknowledged } = props
  const { t } = useTranslation()
  const canEdit = isActive(useSubscription().data)
  const first = firstAct(driver, mayDrive(driver, today), {
    canEdit,
    mayAcknowledge: useMayAcknowledge(),
  })
  return (
    <QueueRow
      driver={driver}
      className={clsx("pl-5 hover:bg-sunken", driver.episode?.acknowledgement && "bg-sunken")}
      number={driver.licenseNumber}
      actions={
        <AcknowledgementAction
          driver={driver}
          isFirst={isFirstOpen}
          onAcknowledged={onAcknowledged}
          first={
            first === "edit" && (
              <ButtonLink
                to={`?driver=${driver.id}#edit`}
                variant={isFirstOpen ? "primary" : "secondary"}
                size="sm"
                className="@card:@max-6xl:px-2! @card:@max-6xl:text-xs"
                aria-label={t("drivers.acts.correctOf", { name: fullName(driver) })}
              >
                {t("drivers.acts.correct")}
              </ButtonLink>
            )
          }
        />
      }
      hasArrow
    >
      <span className="col-span-full flex flex-wrap gap-1.5">
        {reasons.map((reason) => (
          <ReasonChips key={reason} reason={reason} driver={driver} today={today} />
        ))}
      </span>
      <AcknowledgementNote driver={driver} today={today} />
    </QueueRow>
  )
}

type ReasonProps = { reason: AttentionReason; driver: DriverSummaryOut; today: string }

function ReasonChips({ reason, driver, today }: ReasonProps) {
  switch (reason) {
    case "needed_category":
      return <CategoryProblemChips driver={driver} today={today} />
    case "category_expired":
    case "expires_soon":
      return (
        <ExpiryChips
          verification={latestVerification(driver)}
          today={today}
          states={[reason === "category_expired" ? "expired" : "soon"]}
          except={problemCategories(driver, today)}
        />
      )
    default:
      return <AttentionChip reason={reason} driver={driver} />
  }
}

function AttentionChip({ reason, driver }: { reason: ChipReason; driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  const latest = latestVerification(driver)
  const label = () => {
    switch (reason) {
      case "expired":
        return latest?.expiryDate
          ? t("dashboard.attention.expired", { date: formatCalendarDate(latest.expiryDate) })
          : t("dashboard.attention.expiredUndated")
      case "unusual":
        return t("dashboard.attention.unusual", {
          state: latest?.documentStatus ?? t("dashboard.details.noData"),
        })
      case "not_found":
        return t("dashboard.attention.not_found")
      case "stale":
        return t("dashboard.attention.stale", { date: formatDate(driver.staleSince ?? 0) })
      case "over_limit":
        return t("dashboard.attention.over_limit")
    }
  }
  return <Chip {...marks[reason]}>{label()}</Chip>
}
