import { clsx } from "clsx"
import { Check } from "lucide-react"
import { useId } from "react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { driverListPath } from "~/entities/driver/driver-filter"
import { type MayDrive, marks } from "~/entities/driver/may-drive"
import { inks } from "~/ui/badge"
import { linkStyles } from "~/ui/text-link"
import type { DriverCounts } from "./driver-counts"

type BriefingProps = { drivers: readonly DriverSummaryOut[]; counts: DriverCounts; stale: boolean }

/**
 * The answer of the day: how many drivers may not drive and how many of them nobody has taken off
 * the road, or how many may; the way to the drivers of each answer. Of those who may not, the
 * heading is the way.
 */
export function Briefing({ drivers, counts, stale }: BriefingProps) {
  const { t } = useTranslation()
  const headingId = useId()
  const { no, check, yes } = counts.mayDrive
  const isUnknown = stale || !counts.anyChecked
  const answer: MayDrive = no > 0 ? "no" : check > 0 || isUnknown ? "check" : "yes"
  const isHandled = no > 0 && counts.unhandled === 0
  const { tone, icon: Icon } = marks[answer]
  const describe = () => {
    if (no > 0) return t("dashboard.answer.no", { count: no })
    if (!counts.anyChecked) return t("dashboard.answer.unknown")
    return t("dashboard.answer.yes", { yes, total: drivers.length })
  }
  const figures = (["no", "check", "yes"] as const).filter((one) => one !== "no" || no === 0)
  return (
    <section
      aria-labelledby={headingId}
      className="-my-1 flex flex-wrap items-center justify-between gap-x-3"
    >
      <h2
        id={headingId}
        className={clsx(
          "flex items-center gap-2 text-lg max-sm:text-base",
          answer !== "check" && !isHandled && inks[tone],
          !isHandled && "sm:text-xl beside:max-2xl:text-lg",
        )}
      >
        <Icon aria-hidden className={clsx("size-6 shrink-0 max-sm:size-5", inks[tone])} />
        {no > 0 ? (
          <Link to={driverListPath("no")} className="hover:underline">
            {describe()}
          </Link>
        ) : (
          <span>{describe()}</span>
        )}
      </h2>
      {isHandled && (
        <p className="figures flex flex-1 items-center gap-1.5 text-xs leading-tight font-semibold max-sm:basis-full 2xl:text-sm">
          <Check aria-hidden className="size-4.5 shrink-0" />
          <span>{t("dashboard.answer.handled")}</span>
        </p>
      )}
      <div className="flex items-center max-sm:w-full max-sm:justify-between sm:-mr-1.5">
        {counts.unhandled > 0 && (
          <Link
            to={driverListPath("unhandled")}
            className={clsx(
              linkStyles,
              "figures mr-2 py-1 text-sm font-semibold max-sm:text-xs beside:max-2xl:text-xs",
            )}
          >
            {t("dashboard.answer.unhandled", { count: counts.unhandled })}
          </Link>
        )}
        <section aria-label={t("dashboard.mayDrive")} className="flex max-sm:gap-3">
          {figures.map((one) => (
            <Figure
              key={one}
              answer={one}
              count={counts.mayDrive[one]}
              isColoured={counts.mayDrive[one] > 0 && !isUnknown}
            />
          ))}
        </section>
      </div>
    </section>
  )
}

type FigureProps = { answer: MayDrive; count: number; isColoured: boolean }

/** How many drivers have an answer, as the link to them. */
function Figure({ answer, count, isColoured }: FigureProps) {
  const { t } = useTranslation()
  const { tone } = marks[answer]
  return (
    <Link
      to={driverListPath(answer)}
      className={clsx(
        "flex min-h-9 items-center gap-1.5 rounded-md px-1.5 text-sm font-semibold hover:bg-sunken max-sm:px-0 max-sm:text-xs beside:max-2xl:text-xs",
        inks[isColoured ? tone : "neutral"],
      )}
    >
      <span>{t(`drivers.filter.${answer}`)}</span> <span className="figures">{count}</span>
    </Link>
  )
}
