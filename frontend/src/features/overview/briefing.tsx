import { clsx } from "clsx"
import { useId } from "react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { driverListPath } from "~/entities/driver/driver-filter"
import { type MayDrive, marks } from "~/entities/driver/may-drive"
import { inks } from "~/ui/badge"
import { Card } from "~/ui/card"
import { CheckProgressLine } from "./check-progress-line"
import type { DriverCounts } from "./driver-counts"

type BriefingProps = { drivers: readonly DriverSummaryOut[]; counts: DriverCounts; stale: boolean }

/**
 * The answer of the day: how many drivers may not drive and how many of them nobody has taken off
 * the road, or how many may; when that was checked; the way to the drivers of each answer.
 */
export function Briefing({ drivers, counts, stale }: BriefingProps) {
  const { t } = useTranslation()
  const headingId = useId()
  const { no, check, yes } = counts.mayDrive
  const isUnknown = stale || !counts.anyChecked
  const answer: MayDrive = no > 0 ? "no" : check > 0 || isUnknown ? "check" : "yes"
  const { tone, icon: Icon } = marks[answer]
  const describe = () => {
    if (no > 0) return t("dashboard.answer.no", { count: no })
    if (!counts.anyChecked) return t("dashboard.answer.unknown")
    return t("dashboard.answer.yes", { yes, total: drivers.length })
  }
  return (
    <section aria-labelledby={headingId}>
      <Card className="overflow-hidden">
        <div className="flex items-start gap-3 px-5 py-4">
          <Icon aria-hidden className={clsx("mt-0.5 size-7 shrink-0", inks[tone])} />
          <div className="min-w-0">
            <h2 id={headingId} className={clsx("text-xl", answer !== "check" && inks[tone])}>
              {describe()}
            </h2>
            {no > 0 && (
              <p className="figures font-semibold">
                {counts.unhandled > 0
                  ? t("dashboard.answer.unhandled", { count: counts.unhandled })
                  : t("dashboard.answer.handled")}
              </p>
            )}
            <CheckProgressLine drivers={drivers} stale={stale} />
          </div>
        </div>
        <section
          aria-label={t("dashboard.mayDrive")}
          className="grid grid-cols-3 divide-x divide-line border-t border-line"
        >
          {(["no", "check", "yes"] as const).map((one) => (
            <Figure
              key={one}
              answer={one}
              count={counts.mayDrive[one]}
              // Red stays red, whatever else is unknown.
              isColoured={counts.mayDrive[one] > 0 && (one === "no" || !isUnknown)}
            />
          ))}
        </section>
      </Card>
    </section>
  )
}

type FigureProps = { answer: MayDrive; count: number; isColoured: boolean }

/** How many drivers have an answer, as the link to them. */
function Figure({ answer, count, isColoured }: FigureProps) {
  const { t } = useTranslation()
  const { tone, icon: Icon } = marks[answer]
  return (
    <Link
      to={driverListPath(answer)}
      className={clsx(
        "flex min-h-11 items-center gap-2 px-3 py-2 font-semibold hover:bg-sunken focus-visible:-outline-offset-2 max-sm:flex-col max-sm:text-center max-sm:text-sm sm:px-5",
        inks[isColoured ? tone : "neutral"],
      )}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      <span className="min-w-0 flex-1">{t(`drivers.filter.${answer}`)}</span>{" "}
      <span className="figures text-lg">{count}</span>
    </Link>
  )
}
