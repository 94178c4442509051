import { clsx } from "clsx"
import { ClipboardList } from "lucide-react"
import { useEffect, useId, useRef } from "react"
import { useTranslation } from "react-i18next"
import { type DriverFilter, driverFilters } from "~/entities/driver/driver-filter"
import { type Mark, marks } from "~/entities/driver/may-drive"
import { inks } from "~/ui/badge"
import { Select } from "~/ui/select"

/** The groups with a chip of their own, and their icons; the select beside them has the others. */
const chips: Partial<Record<DriverFilter, Mark | null>> = {
  all: null,
  no: marks.no,
  unhandled: { tone: "withheld", icon: ClipboardList },
  check: marks.check,
  expiring: null,
}
const otherGroups = driverFilters.filter((one) => !(one in chips))

type FilterBarProps = {
  filter: DriverFilter
  counts: Record<DriverFilter, number>
  onChange: (filter: DriverFilter) => void
}

/** Where the search is in the same row and leaves little room. */
const narrowBar =
  "@bar:gap-1 @bar:px-1.5 @bar:text-xs beside:max-2xl:gap-1 beside:max-2xl:px-1.5 beside:max-2xl:text-xs"

/** One group of drivers is shown at a time. The bar scrolls sideways where it has no room. */
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
    const chip = bar.current?.querySelector(
      filter in chips ? `[type=radio][value=${filter}]` : "select",
    )?.parentElement
    if (!bar.current || !chip) return
    bar.current.scrollLeft = chip.offsetLeft - (bar.current.clientWidth - chip.offsetWidth) / 2
  }, [filter])

  return (
    <div
      ref={bar}
      role="radiogroup"
      aria-label={t("drivers.filter.label")}
      className="relative -ml-4 flex min-w-0 gap-1.5 overflow-x-auto py-1 pl-4 @bar:ml-0 @bar:gap-1 @bar:pl-0.5"
    >
      {driverFilters.map((one) => {
        const mark = chips[one]
        if (mark === undefined) return null
        return (
          <label
            key={one}
            className={clsx(
              "relative flex min-h-9 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-sm font-semibold whitespace-nowrap",
              narrowBar,
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
            {mark && (
              <mark.icon
                aria-hidden
                className={clsx(
                  "size-4 shrink-0 peer-checked:text-on-brand @bar:@max-[76rem]:hidden beside:max-2xl:hidden",
                  inks[counts[one] === 0 ? "neutral" : mark.tone],
                )}
              />
            )}
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
      <Select
        aria-label={t("drivers.filter.more")}
        value={filter in chips ? "" : filter}
        onChange={(event) => onChange(event.target.value as DriverFilter)}
        className={clsx(
          "rounded-full! field-sizing-content @bar:pr-6!",
          narrowBar,
          !(filter in chips) && "border-brand! bg-brand-soft!",
        )}
      >
        <option value="" hidden>
          {t("drivers.filter.more")}
        </option>
        {otherGroups.map((one) => (
          <option key={one} value={one}>
            {`${t(`drivers.filter.${one}`)} ${counts[one]}`}
          </option>
        ))}
      </Select>
    </div>
  )
}
