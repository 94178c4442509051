import { clsx } from "clsx"
import { CircleCheck, type LucideIcon, OctagonX, Users } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Counts } from "./counts"

type SummaryCardsProps = { counts: Counts; stale: boolean }

/**
 * How many there are, how many may drive, how many may not. Over stale results the green turns
 * grey, for a green that nobody checks is a false "valid"; a red stays red.
 */
export function SummaryCards({ counts, stale }: SummaryCardsProps) {
  const { t } = useTranslation()
  return (
    <section aria-label={t("dashboard.cards.group")} className="grid gap-4 sm:grid-cols-3">
      <Figure
        label={t("dashboard.cards.drivers")}
        value={counts.drivers}
        icon={Users}
        look={stale ? "grey" : "plain"}
      />
      <Figure
        label={t("dashboard.cards.valid")}
        value={counts.valid}
        icon={CircleCheck}
        look={stale ? "grey" : "green"}
      />
      <Figure
        label={t("dashboard.cards.withheld")}
        value={counts.withheld}
        icon={counts.withheld > 0 ? OctagonX : CircleCheck}
        look={counts.withheld > 0 ? "red" : stale ? "grey" : "greenFilled"}
      />
    </section>
  )
}

const looks = {
  plain: { box: "border-line bg-surface", label: "text-ink-soft", mark: "text-brand" },
  green: { box: "border-line bg-surface", label: "text-ink-soft", mark: "text-valid" },
  greenFilled: {
    box: "border-transparent bg-valid-soft text-valid-ink",
    label: "text-valid-ink",
    mark: "text-valid",
  },
  red: {
    box: "border-transparent bg-withheld text-on-withheld",
    label: "text-on-withheld",
    mark: "text-on-withheld",
  },
  grey: {
    box: "border-line bg-sunken text-ink-soft",
    label: "text-ink-soft",
    mark: "text-ink-soft",
  },
}

type FigureProps = { label: string; value: number; icon: LucideIcon; look: keyof typeof looks }

function Figure({ label, value, icon: Icon, look }: FigureProps) {
  return (
    <div
      data-look={look}
      className={clsx(
        "flex items-center justify-between gap-4 rounded-lg border px-5 py-4 sm:flex-col sm:items-stretch",
        looks[look].box,
      )}
    >
      <h2
        className={clsx(
          "flex items-start justify-between gap-3 text-sm font-semibold tracking-normal sm:min-h-11",
          looks[look].label,
        )}
      >
        {label}
        <Icon aria-hidden className={clsx("size-5 shrink-0 max-sm:hidden", looks[look].mark)} />
      </h2>
      <p className="figures text-figure leading-none font-bold tracking-tight">{value}</p>
    </div>
  )
}
