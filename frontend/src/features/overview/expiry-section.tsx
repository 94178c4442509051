import { CalendarClock, ChevronRight } from "lucide-react"
import { useId, useMemo } from "react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import {
  type DriverFilter,
  driverListPath,
  expiryGroups,
  groupDrivers,
} from "~/entities/driver/driver-filter"
import { useProductToday } from "~/hooks/use-product-now"
import { Card } from "~/ui/card"

const counted = Object.entries(expiryGroups) as [DriverFilter, number][]

/** 'Wygasa w 90 dni': of how many drivers something ends within 7, 30 and 90 days. */
export function ExpirySection({ drivers }: { drivers: readonly DriverSummaryOut[] }) {
  const { t } = useTranslation()
  const headingId = useId()
  const today = useProductToday()
  const groups = useMemo(() => groupDrivers(drivers, today), [drivers, today])
  if (groups.expiring90.length === 0) return null
  return (
    <section aria-labelledby={headingId}>
      <Card className="flex flex-wrap items-center gap-x-6 gap-y-3 p-4 sm:px-5">
        <h2 id={headingId} className="flex items-center gap-2 text-lg">
          <CalendarClock aria-hidden className="size-5 text-brand" />
          {t("dashboard.expiring.title")}
        </h2>
        <ul className="flex flex-1 flex-wrap gap-2">
          {counted.map(([group, days]) => (
            <li key={group} className="min-w-36 flex-1">
              <Link
                to={driverListPath(group)}
                className="flex min-h-11 items-center justify-between gap-3 rounded-md border border-line px-3 py-1.5 hover:bg-sunken"
              >
                <span className="text-sm text-ink-soft">
                  {t("dashboard.expiring.within", { days })}
                </span>
                <span className="figures flex items-center gap-1 text-lg font-bold">
                  {groups[group].length}
                  <ChevronRight aria-hidden className="size-4 text-ink-soft print:hidden" />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
