import { clsx } from "clsx"
import { CalendarX2, type LucideIcon, Users } from "lucide-react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import { type DriverFilter, driverListPath } from "~/entities/driver/driver-filter"
import { marks } from "~/entities/driver/may-drive"
import { Card } from "~/ui/card"
import type { DriverCounts } from "./driver-counts"

type SummaryCardsProps = { counts: DriverCounts; stale: boolean }

/**
 * The counts of all, valid and withheld drivers. With stale results, or before the first one, the
 * green cards are grey: an unchecked green would be a false "valid". Red stays red.
 */
export function SummaryCards({ counts, stale }: SummaryCardsProps) {
  const { t } = useTranslation()
  const unknown = stale || !counts.anyChecked
  const notes = [
    counts.expiredCategory > 0 &&
      t("dashboard.cards.expiredCategory", { count: counts.expiredCategory }),
    counts.neededCategory > 0 &&
      t("dashboard.cards.neededCategory", { count: counts.neededCategory }),
  ].filter((note) => note !== false)
  return (
    <section aria-label={t("dashboard.cards.group")}>
      <Card className="grid grid-cols-[min-content_minmax(0,1fr)_min-content] divide-x divide-line overflow-hidden sm:grid-cols-[1fr_1.5fr_1fr] xl:grid-cols-3 beside:grid-cols-[1fr_1.5fr_1fr]">
        <CountCard
          label={t("dashboard.cards.drivers")}
          value={counts.drivers}
          icon={Users}
          filter="all"
          variant={stale ? "grey" : "plain"}
        />
        <CountCard
          label={t("dashboard.cards.valid")}
          value={counts.anyChecked ? counts.valid : "–"}
          icon={marks.yes.icon}
          filter="valid"
          variant={unknown ? "grey" : "green"}
          notes={notes}
        />
        <CountCard
          label={t("dashboard.cards.withheld")}
          value={counts.anyChecked ? counts.withheld : "–"}
          icon={marks[counts.withheld > 0 ? "withheld" : "yes"].icon}
          filter="withheld"
          variant={counts.withheld > 0 ? "red" : unknown ? "grey" : "greenFilled"}
        />
        {/* On a phone the notes have the width of all three. */}
        {notes.map((note) => (
          <p
            key={note}
            aria-hidden
            data-label={note}
            className="col-span-full border-x-0! px-2.5 text-xs leading-tight font-semibold text-caution-ink before:content-[attr(data-label)] last:pb-1 sm:hidden"
          />
        ))}
      </Card>
    </section>
  )
}

const variantClasses = {
  plain: { box: "", label: "text-ink-soft", icon: "text-brand" },
  green: { box: "", label: "text-ink-soft", icon: "text-valid" },
  greenFilled: {
    box: "bg-valid-soft text-valid-ink",
    label: "text-valid-ink",
    icon: "text-valid",
  },
  red: {
    box: "bg-withheld text-on-withheld",
    label: "text-on-withheld",
    icon: "", // as the label, whose colour forced colours replace
  },
  grey: {
    box: "bg-sunken text-ink-soft",
    label: "text-ink-soft",
    icon: "text-ink-soft",
  },
}

type CountCardProps = {
  label: string
  value: number | "–"
  icon: LucideIcon
  /** The drivers that are counted. */
  filter: DriverFilter
  variant: keyof typeof variantClasses
  /** Facts about the count that must not be overlooked. */
  notes?: readonly string[]
}

/** A part of the strip; the whole of it is the link to the drivers that it counts. */
function CountCard({ label, value, icon: Icon, filter, variant, notes }: CountCardProps) {
  return (
    <div
      data-variant={variant}
      className={clsx(
        "relative grid min-h-14 items-center gap-x-3 px-2.5 py-1 max-sm:content-start sm:content-center sm:grid-cols-[minmax(0,1fr)_auto] sm:px-5 sm:py-px beside:px-3",
        variantClasses[variant].box,
      )}
    >
      <h2
        className={clsx(
          "flex gap-2.5 text-xs leading-tight font-semibold tracking-normal max-sm:min-h-[2lh] max-sm:items-end sm:items-center sm:text-sm beside:max-2xl:text-xs",
          variantClasses[variant].label,
        )}
      >
        <Icon
          aria-hidden
          className={clsx("size-5 shrink-0 max-sm:hidden", variantClasses[variant].icon)}
        />
        <Link
          to={driverListPath(filter)}
          className="after:absolute after:inset-0 hover:underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-4 focus-visible:after:outline-current"
        >
          {label}
        </Link>
      </h2>
      {notes?.map((note) => (
        <p
          key={note}
          className="flex items-center gap-1.5 text-xs leading-tight font-semibold text-caution-ink max-sm:sr-only"
        >
          <CalendarX2 aria-hidden className="size-3.5 shrink-0" />
          {note}
        </p>
      ))}
      <p className="figures text-xl leading-none font-bold tracking-tight sm:col-start-2 sm:row-span-3 sm:row-start-1">
        {value}
      </p>
    </div>
  )
}
