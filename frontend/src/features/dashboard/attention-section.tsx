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
import { type AttentionReason, attentionReasons } from "~/entities/driver/document-status"
import { fullName, latestVerification } from "~/entities/driver/driver"
import { compareNames } from "~/lib/collation"
import { formatCalendarDate, formatDate } from "~/lib/dates"
import { Chip } from "~/ui/badge"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"

const initialRowCount = 8

const icons: Record<AttentionReason, LucideIcon> = {
  expired: CalendarX2,
  unusual: TriangleAlert,
  not_found: SearchX,
  stale: Clock,
  over_limit: UserRoundX,
}

/** 'Wymaga uwagi': expired, unusual, not found, stale and over-limit drivers. Never red. */
export function AttentionSection({ drivers }: { drivers: readonly DriverSummaryOut[] }) {
  const { t } = useTranslation()
  const headingId = useId()
  const [showAll, setShowAll] = useState(false)
  const entries = drivers
    .map((driver) => ({ driver, reasons: attentionReasons(driver) }))
    .filter(({ reasons }) => reasons.length > 0)
    .sort((a, b) => compareNames(a.driver.lastName, b.driver.lastName))
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
                to={`/panel/drivers?q=${driver.licenseNumber}`}
                className="flex items-center gap-4 px-5 py-3 last:rounded-b-lg hover:bg-sunken focus-visible:-outline-offset-2"
              >
                <span className="grid min-w-0 flex-1 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,14rem)_7rem_1fr] sm:items-center">
                  <span className="font-semibold wrap-anywhere">{fullName(driver)}</span>
                  <span className="serial text-sm text-ink-soft">{driver.licenseNumber}</span>
                  <span className="flex flex-wrap gap-1.5">
                    {reasons.map((reason) => (
                      <AttentionChip key={reason} reason={reason} driver={driver} />
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

function AttentionChip({ reason, driver }: { reason: AttentionReason; driver: DriverSummaryOut }) {
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
