import {
  CalendarX2,
  ChevronRight,
  Clock,
  type LucideIcon,
  SearchX,
  TriangleAlert,
  UserRoundX,
} from "lucide-react"
import { useId, useState } from "react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { CategoryProblemChips, ExpiryChips } from "~/entities/driver/document-badge"
import { type AttentionReason, attentionReasons } from "~/entities/driver/document-status"
import { fullName, latestVerification, problemCategories } from "~/entities/driver/driver"
import { useProductToday } from "~/hooks/use-product-today"
import { compareNames } from "~/lib/collation"
import { formatCalendarDate, formatDate } from "~/lib/dates"
import { driverPath } from "~/lib/driver-queries"
import { Chip } from "~/ui/badge"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { Hyphenated } from "~/ui/hyphenated"

const initialRowCount = 8

type ChipReason = Exclude<AttentionReason, "needed_category" | "category_expired" | "expires_soon">

const icons: Record<ChipReason, LucideIcon> = {
  expired: CalendarX2,
  unusual: TriangleAlert,
  not_found: SearchX,
  stale: Clock,
  over_limit: UserRoundX,
}

/**
 * 'Wymaga uwagi': expired, unusual, not found, stale and over-limit drivers, and last those for whom
 * something will only expire. Never red.
 */
export function AttentionSection({ drivers }: { drivers: readonly DriverSummaryOut[] }) {
  const { t } = useTranslation()
  const today = useProductToday()
  const headingId = useId()
  const [showAll, setShowAll] = useState(false)
  const entries = drivers
    .map((driver) => ({ driver, reasons: attentionReasons(driver, today) }))
    .filter(({ reasons }) => reasons.length > 0)
    .sort(
      (a, b) =>
        Number(a.reasons[0] === "expires_soon") - Number(b.reasons[0] === "expires_soon") ||
        compareNames(a.driver.lastName, b.driver.lastName),
    )
  if (entries.length === 0) return null

  return (
    <section aria-labelledby={headingId}>
      <Card>
        <div className="border-b border-line px-5 py-4">
          <h2 id={headingId} className="text-lg">
            {t("dashboard.attention.title")}
          </h2>
          <p className="text-sm text-ink-soft">{t("dashboard.attention.lead")}</p>
        </div>
        <ul className="divide-y divide-line">
          {(showAll ? entries : entries.slice(0, initialRowCount)).map(({ driver, reasons }) => (
            <li key={driver.id}>
              <Link
                to={driverPath(driver.id)}
                className="flex items-center gap-4 px-5 py-3 last:rounded-b-lg hover:bg-sunken focus-visible:-outline-offset-2"
              >
                <span className="grid min-w-0 flex-1 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,14rem)_7rem_1fr] sm:items-center">
                  <span className="font-semibold wrap-break-word">
                    <Hyphenated>{fullName(driver)}</Hyphenated>
                  </span>{" "}
                  <span className="serial text-sm text-ink-soft">{driver.licenseNumber}</span>{" "}
                  <span className="flex flex-wrap gap-1.5">
                    {reasons.map((reason) => (
                      <ReasonChips key={reason} reason={reason} driver={driver} today={today} />
                    ))}
                  </span>
                </span>
                <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft" />
              </Link>
            </li>
          ))}
        </ul>
        {!showAll && entries.length > initialRowCount && (
          <div className="border-t border-line p-3 text-center">
            <Button variant="ghost" size="sm" onClick={() => setShowAll(true)}>
              {t("dashboard.attention.showAll", { count: entries.length })}
            </Button>
          </div>
        )}
      </Card>
    </section>
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
  return (
    <Chip icon={icons[reason]} tone={reason === "over_limit" ? "neutral" : "caution"}>
      {label()}
    </Chip>
  )
}
