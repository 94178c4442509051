import { useQuery } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { listCheckedDaysOptions } from "~/api/@tanstack/react-query.gen"
import type { CheckedDayOut } from "~/api/types.gen"
import { useProductToday } from "~/hooks/use-product-now"
import { formatCalendarDate } from "~/lib/dates"
import { QueryState } from "~/ui/query-state"
import {
  countDays,
  type DayRange,
  type DayStatus,
  dayRanges,
  fillDays,
  type StripDay,
  weekdayOf,
} from "./day-ranges"

/** A square for each of the last 365 days, a column for each week; also as a list of ranges. */
export function DayStrip({ driverId }: { driverId: string }) {
  const { t } = useTranslation()
  const days = useQuery(listCheckedDaysOptions({ path: { driver_id: driverId } }))
  return (
    <QueryState
      query={days}
      loadingLabel={t("verifications.days.loading")}
      errorTitle={t("verifications.days.loadFailed")}
    >
      {(checked) => <Strip checked={checked} />}
    </QueryState>
  )
}

function Strip({ checked }: { checked: readonly CheckedDayOut[] }) {
  const { t } = useTranslation()
  const today = useProductToday()
  const days = fillDays(checked, today)
  const counts = countDays(days)
  const first = formatCalendarDate(days[0]?.day ?? today)
  const last = formatCalendarDate(today)
  const summary = counts
    .map(({ status, days: count }) =>
      t("verifications.days.summary", { label: t(`verifications.days.${status}`), days: count }),
    )
    .join(", ")

  return (
    <div className="flex flex-col gap-3">
      <div>
        <StripPicture
          days={days}
          label={t("verifications.days.picture", { first, last, summary })}
        />
        <p aria-hidden className="figures mt-1 flex justify-between text-xs text-ink-soft">
          <span>{first}</span>
          <span>{last}</span>
        </p>
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
        {counts.map(({ status, days: count }) => (
          <li key={status} className="flex items-center gap-1.5">
            <svg aria-hidden viewBox="0 0 10 10" className="size-3.5">
              <DaySquare status={status} x={0} y={0} />
            </svg>
            {t("verifications.days.summary", {
              label: t(`verifications.days.${status}`),
              days: count,
            })}
          </li>
        ))}
      </ul>
      <details className="text-sm">
        <summary className="w-fit rounded-sm font-semibold text-brand">
          {t("verifications.days.asText")}
        </summary>
        <ul className="figures mt-2 flex flex-col gap-1 text-ink-soft">
          {dayRanges(days).map((range) => (
            <li key={range.first}>
              <RangeText {...range} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function RangeText({ first, last, status }: DayRange) {
  const { t } = useTranslation()
  const label = t(`verifications.days.${status}`)
  const text =
    first === last
      ? t("verifications.days.day", { date: formatCalendarDate(first), label })
      : t("verifications.days.span", {
          first: formatCalendarDate(first),
          last: formatCalendarDate(last),
          label,
        })
  return <span>{text}</span>
}

function StripPicture({ days, label }: { days: readonly StripDay[]; label: string }) {
  const { t } = useTranslation()
  const offset = weekdayOf(days[0]?.day ?? "2026-01-05")
  const weeks = Math.ceil((days.length + offset) / 7)
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${weeks * 10} 70`} className="block w-full">
      {days.map(({ day, status }, index) => (
        <g key={day}>
          <title>
            {t("verifications.days.day", {
              date: formatCalendarDate(day),
              label: t(`verifications.days.${status}`),
            })}
          </title>
          <DaySquare
            status={status}
            x={Math.floor((index + offset) / 7) * 10}
            y={weekdayOf(day) * 10}
          />
        </g>
      ))}
    </svg>
  )
}

/** Each status has a mark of its own beside its colour: a cross, a bar, a ring, an outline. */
function DaySquare({ status, x, y }: { status: DayStatus; x: number; y: number }) {
  const square = { x: x + 1, y: y + 1, width: 8, height: 8, rx: 1.5 }
  const mark = { className: "stroke-surface", strokeWidth: 1.6, fill: "none" }
  switch (status) {
    case "valid":
      return <rect {...square} className="fill-valid opacity-80" />
    case "invalid":
      return (
        <>
          <rect {...square} className="fill-withheld" />
          <path d={`M${x + 3} ${y + 3}l4 4m0 -4l-4 4`} {...mark} className="stroke-on-withheld" />
        </>
      )
    case "attention":
      return (
        <>
          <rect {...square} className="fill-caution" />
          <path d={`M${x + 2.6} ${y + 5}h4.8`} {...mark} />
        </>
      )
    case "not_found":
      return (
        <>
          <rect {...square} className="fill-caution" />
          <circle cx={x + 5} cy={y + 5} r={1.9} {...mark} />
        </>
      )
    case "none":
      return (
        <rect
          {...square}
          x={x + 1.5}
          y={y + 1.5}
          width={7}
          height={7}
          className="fill-none stroke-line-strong opacity-50"
          strokeWidth={0.8}
        />
      )
  }
}
