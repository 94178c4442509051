import { clsx } from "clsx"
import { ClipboardList, IdCard, Users } from "lucide-react"
import { useEffect, useId, useRef } from "react"
import { useTranslation } from "react-i18next"
import { type DriverFilter, driverFilters } from "~/entities/driver/driver-filter"
import { marks } from "~/entities/driver/may-drive"
import { inks } from "~/ui/badge"

/** A group of drivers is marked as what its drivers have in common. */
const filterMarks = {
  ...marks,
  all: { tone: "neutral", icon: Users },
  unhandled: { tone: "withheld", icon: ClipboardList },
  attention: marks.unusual,
  expiring7: marks.expires_soon,
  expiring: marks.expires_soon,
  expiring90: marks.expires_soon,
  valid: { tone: "neutral", icon: IdCard },
} as const

/** Groups that the dashboard leads to; they have a chip only while chosen. */
const linkedGroups: readonly DriverFilter[] = ["yes", "expiring7", "expiring90"]

type FilterBarProps = {
  filter: DriverFilter
  counts: Record<DriverFilter, number>
  onChange: (filter: DriverFilter) => void
}

/** One group of drivers is shown at a time. On a narrow screen the chips scroll sideways, else they wrap. */
export function FilterBar({ filter, counts, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  const name = useId()
  const bar = useRef<HTMLDivElement>(null)

  // The chosen chip may be out of sight, as when a link has opened the list. The first one is not
  // on a first drawing, which measuring it would delay.
  const wasFirst = useRef(true)
  useEffect(() => {
    const isFirst = filter === driverFilters[0]
    if (isFirst && wasFirst.current) return
    wasFirst.current = isFirst
    const chip = bar.current?.querySelector(`[value=${filter}]`)?.parentElement
    if (!bar.current || !chip) return
    bar.current.scrollLeft = chip.offsetLeft - (bar.current.clientWidth - chip.offsetWidth) / 2
  }, [filter])

  return (
    <div
      ref={bar}
      role="radiogroup"
      aria-label={t("drivers.filter.label")}
      className="relative -mx-4 flex min-w-0 gap-1.5 overflow-x-auto px-4 py-1 @3xl:flex-wrap @3xl:overflow-visible"
    >
      {driverFilters.map((one) => {
        if (linkedGroups.includes(one) && one !== filter) return null
        const { tone, icon: Icon } = filterMarks[one]
        return (
          <label
            key={one}
            className={clsx(
              "relative flex min-h-9 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-sm font-semibold whitespace-nowrap",
              "border-line-strong bg-surface hover:bg-sunken has-checked:border-brand has-checked:bg-brand has-checked:text-on-brand",
              "cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
            )}
          >
            <input
              type="radio"
              name={name}
              value={one}
              checked={filter === one}
              onChange={() => onChange(one)}
              className="peer absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
            />
            <Icon
              aria-hidden
              className={clsx(
                "size-4 shrink-0 peer-checked:text-on-brand",
                inks[counts[one] === 0 ? "neutral" : tone],
              )}
            />
            {t(`drivers.filter.${one}`)}{" "}
            <span
              className={clsx(
                "figures font-normal",
                filter === one ? "text-on-brand" : "text-ink-soft",
              )}
            >
              {counts[one]}
            </span>
          </label>
        )
      })}
    </div>
  )
}
