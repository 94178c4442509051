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
import type { DriverOut } from "~/api/types.gen"
import { formatDate, formatDay } from "~/shared/dates"
import { type Concern, concernsOf, latestOf } from "~/shared/document-state"
import { fullName } from "~/shared/driver-list"
import { compareNames } from "~/shared/names"
import { Chip } from "~/ui/badge"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"

const shownAtFirst = 8

const icons: Record<Concern, LucideIcon> = {
  expired: CalendarX2,
  unusual: TriangleAlert,
  not_found: SearchX,
  stale: Clock,
  over_limit: UserRoundX,
}

/** 'Wymaga uwagi': expired, unusual, unknown to the register, stale, over the limit. Never red. */
export function AttentionSection({ drivers }: { drivers: readonly DriverOut[] }) {
  const { t } = useTranslation()
  const heading = useId()
  const [all, setAll] = useState(false)
  const concerned = drivers
    .map((driver) => ({ driver, concerns: concernsOf(driver) }))
    .filter(({ concerns }) => concerns.length > 0)
    .sort((a, b) => compareNames(a.driver.lastName, b.driver.lastName))
  if (concerned.length === 0) return null

  return (
    <section aria-labelledby={heading}>
      <Card>
        <div className="border-b border-line px-5 py-4">
          <h2 id={heading} className="text-lg">
            {t("dashboard.attention.title")}
          </h2>
          <p className="text-sm text-ink-soft">{t("dashboard.attention.lead")}</p>
        </div>
        <ul className="divide-y divide-line">
          {(all ? concerned : concerned.slice(0, shownAtFirst)).map(({ driver, concerns }) => (
            <li key={driver.id}>
              <Link
                to={`/panel/drivers?q=${driver.licenseNumber}`}
                className="flex items-center gap-4 px-5 py-3 last:rounded-b-lg hover:bg-sunken focus-visible:-outline-offset-2"
              >
                <span className="grid min-w-0 flex-1 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,14rem)_7rem_1fr] sm:items-center">
                  <span className="font-semibold wrap-anywhere">{fullName(driver)}</span>
                  <span className="serial text-sm text-ink-soft">{driver.licenseNumber}</span>
                  <span className="flex flex-wrap gap-1.5">
                    {concerns.map((concern) => (
                      <ConcernChip key={concern} concern={concern} driver={driver} />
                    ))}
                  </span>
                </span>
                <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft" />
              </Link>
            </li>
          ))}
        </ul>
        {!all && concerned.length > shownAtFirst && (
          <div className="border-t border-line p-3 text-center">
            <Button variant="ghost" size="sm" onClick={() => setAll(true)}>
              {t("dashboard.attention.showAll", { count: concerned.length })}
            </Button>
          </div>
        )}
      </Card>
    </section>
  )
}

function ConcernChip({ concern, driver }: { concern: Concern; driver: DriverOut }) {
  const { t } = useTranslation()
  const latest = latestOf(driver)
  const words = () => {
    switch (concern) {
      case "expired":
        return latest?.expiryDate
          ? t("dashboard.attention.expired", { date: formatDay(latest.expiryDate) })
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
    <Chip icon={icons[concern]} tone={concern === "over_limit" ? "neutral" : "caution"}>
      {words()}
    </Chip>
  )
}
