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
 * the road, or how many may; the way to the drivers of each answer.
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
  return (
    <section
      aria-labelledby={headingId}
      className="-my-1 flex flex-wrap items-center justify-between gap-x-4"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-3">
        <h2
          id={headingId}
          className={clsx("flex gap-2 text-lg", answer !== "check" && !isHandled && inks[tone])}
        >
          <Icon aria-hidden className={clsx("mt-0.5 size-6 shrink-0", inks[tone])} />
          {describe()}
        </h2>
        {no > 0 && (
          <div className="figures leading-tight max-sm:pl-8">
            {isHandled ? (
              <p className="flex gap-1.5 text-[0.9375rem] font-semibold">
                <Check aria-hidden className="size-4.5 shrink-0" />
                <span>{t("dashboard.answer.handled")}</span>
              </p>
            ) : (
              <Link
                to={driverListPath("unhandled")}
                className={clsx(
                  linkStyles,
                  "inline-block py-1 text-sm leading-tight font-semibold",
                )}
              >
                {t("dashboard.answer.unhandled", { count: counts.unhandled })}
              </Link>
            )}
          </div>
        )}
      </div>
      <section
        aria-label={t("dashboard.mayDrive")}
        className="flex max-sm:-mx-1 max-sm:w-full max-sm:justify-between sm:-mr-2"
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
        "flex min-h-9 items-center gap-1.5 rounded-md px-2 text-sm font-semibold whitespace-nowrap hover:bg-sunken max-sm:min-h-11 max-sm:flex-col max-sm:justify-center max-sm:gap-0 max-sm:px-1 max-sm:text-xs",
        inks[isColoured ? tone : "neutral"],
      )}
    >
      <span>{t(`drivers.filter.${answer}`)}</span> <span className="figures">{count}</span>
    </Link>
  )
}
