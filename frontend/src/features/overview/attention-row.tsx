import { ChevronRight } from "lucide-react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgementAction, AcknowledgementNote } from "~/entities/driver/acknowledgement"
import { CategoryProblemChips, ExpiryChips } from "~/entities/driver/document-badge"
import type { AttentionReason } from "~/entities/driver/document-status"
import { fullName, latestVerification, problemCategories } from "~/entities/driver/driver"
import { marks } from "~/entities/driver/may-drive"
import { formatCalendarDate, formatDate } from "~/lib/dates"
import { Chip } from "~/ui/badge"
import { Hyphenated } from "~/ui/hyphenated"
import { queueRow } from "./queue-keys"

type ChipReason = Exclude<AttentionReason, "needed_category" | "category_expired" | "expires_soon">

type AttentionRowProps = {
  driver: DriverSummaryOut
  reasons: readonly AttentionReason[]
  today: string
  onAcknowledged: () => void
}

/** A driver with the reasons, the way to the driver, and whether it was taken off the road. */
export function AttentionRow({ driver, reasons, today, onAcknowledged }: AttentionRowProps) {
  return (
    <li {...queueRow} className="relative flex flex-wrap items-center hover:bg-sunken">
      {/* The link covers the row, whose arrow is at the edge whether or not there is a button. */}
      <Link
        to={`?driver=${driver.id}`}
        className="min-w-0 flex-1 basis-40 py-3 pl-5 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus sm:basis-72"
      >
        <span className="grid min-w-0 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,20rem)_1fr] sm:items-center @3xl:grid-cols-[20rem_6.5rem_minmax(0,1fr)]">
          <span className="font-semibold wrap-break-word">
            <Hyphenated>{fullName(driver)}</Hyphenated>
          </span>{" "}
          <span className="serial text-sm text-ink-soft">{driver.licenseNumber}</span>{" "}
          <span className="flex flex-wrap gap-1.5 sm:col-span-full @3xl:col-span-1">
            {reasons.map((reason) => (
              <ReasonChips key={reason} reason={reason} driver={driver} today={today} />
            ))}
          </span>
        </span>
      </Link>
      <ChevronRight aria-hidden className="mr-5 ml-4 size-5 shrink-0 text-ink-soft sm:order-1" />
      {driver.episode && (
        <Acknowledgement driver={driver} today={today} onAcknowledged={onAcknowledged} />
      )}
    </li>
  )
}

function Acknowledgement({ driver, today, onAcknowledged }: Omit<AttentionRowProps, "reasons">) {
  return (
    <div className="relative pb-3 pl-5 empty:hidden has-[form]:w-full has-[form]:pr-5 max-sm:w-full max-sm:pr-5 sm:py-2 sm:has-[form]:order-2">
      <AcknowledgementNote driver={driver} today={today} />
      <AcknowledgementAction driver={driver} onAcknowledged={onAcknowledged} />
    </div>
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
