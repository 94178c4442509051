import { clsx } from "clsx"
import { CircleCheck, type LucideIcon, OctagonX, Users } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverCounts } from "./driver-counts"

type SummaryCardsProps = { counts: DriverCounts; stale: boolean }

/**
 * The counts of all, valid and withheld drivers. With stale results the green cards turn grey,
 * since a green that nobody checks would be a false "valid"; red stays red.
 */
export function SummaryCards({ counts, stale }: SummaryCardsProps) {
  const { t } = useTranslation()
  return (
    <section aria-label={t("dashboard.cards.group")} className="grid gap-4 sm:grid-cols-3">
      <CountCard
        label={t("dashboard.cards.drivers")}
        value={counts.drivers}
        icon={Users}
        variant={stale ? "grey" : "plain"}
      />
      <CountCard
        label={t("dashboard.cards.valid")}
        value={counts.valid}
        icon={CircleCheck}
        variant={stale ? "grey" : "green"}
      />
      <CountCard
        label={t("dashboard.cards.withheld")}
        value={counts.withheld}
        icon={counts.withheld > 0 ? OctagonX : CircleCheck}
        variant={counts.withheld > 0 ? "red" : stale ? "grey" : "greenFilled"}
      />
    </section>
  )
}

const variantClasses = {
  plain: { box: "border-line bg-surface", label: "text-ink-soft", icon: "text-brand" },
  green: { box: "border-line bg-surface", label: "text-ink-soft", icon: "text-valid" },
  greenFilled: {
    box: "border-transparent bg-valid-soft text-valid-ink",
    label: "text-valid-ink",
    icon: "text-valid",
  },
  red: {
    box: "border-transparent bg-withheld text-on-withheld",
    label: "text-on-withheld",
    icon: "text-on-withheld",
  },
  grey: {
    box: "border-line bg-sunken text-ink-soft",
    label: "text-ink-soft",
    icon: "text-ink-soft",
  },
}

type CountCardProps = {
  label: string
  value: number
  icon: LucideIcon
  variant: keyof typeof variantClasses
}

function CountCard({ label, value, icon: Icon, variant }: CountCardProps) {
  return (
    <div
      data-variant={variant}
      className={clsx(
        "flex items-center justify-between gap-4 rounded-lg border px-5 py-4 sm:flex-col sm:items-stretch",
        variantClasses[variant].box,
      )}
    >
      <h2
        className={clsx(
          "flex items-start justify-between gap-3 text-sm font-semibold tracking-normal sm:min-h-11",
          variantClasses[variant].label,
        )}
      >
        {label}
        <Icon
          aria-hidden
          className={clsx("size-5 shrink-0 max-sm:hidden", variantClasses[variant].icon)}
        />
      </h2>
      <p className="figures text-figure leading-none font-bold tracking-tight">{value}</p>
    </div>
  )
}
