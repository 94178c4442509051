import { clsx } from "clsx"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { useEpisodeTexts } from "~/entities/driver/episode-texts"
import { formatDateTime, formatShortDate, warsawDate } from "~/lib/dates"

export type DailyCheck = { from: number; until: number } | undefined

/** Whether a driver who may not drive was taken off the road, when and by whom. */
export function Handled({
  episode,
  today,
}: {
  episode: DriverSummaryOut["episode"]
  today: string
}) {
  const { t } = useTranslation()
  const { describeAuthor } = useEpisodeTexts(today)
  if (!episode) return null
  const { acknowledgement } = episode
  const text = acknowledgement
    ? t("drivers.handled", {
        date: formatShortDate(warsawDate(Date.parse(acknowledgement.createdAt)), today),
      })
    : t("drivers.filter.unhandled")
  return (
    <span
      title={acknowledgement ? describeAuthor(acknowledgement) : undefined}
      className="figures block text-xs leading-tight whitespace-nowrap @max-card:order-3"
    >
      {text}
    </span>
  )
}

type CheckedAtProps = { verifiedAt: string | undefined; dailyCheck: DailyCheck }

/** In the table it is seen only where it is not of the day's check, which stands above the list. */
export function CheckedAt({ verifiedAt, dailyCheck }: CheckedAtProps) {
  const { t } = useTranslation()
  if (!verifiedAt) return <span className="text-ink-soft">{t("drivers.neverChecked")}</span>
  const date = formatDateTime(verifiedAt)
  const time = Date.parse(verifiedAt)
  const isOfDay = dailyCheck && time >= dailyCheck.from && time <= dailyCheck.until
  return (
    <time dateTime={verifiedAt} className="@min-[60rem]:whitespace-nowrap">
      <span data-table-only className={clsx("@max-table:hidden", isOfDay && "sr-only")}>
        {date}
      </span>
      <span data-cards-only className={clsx("@table:hidden", isOfDay && "@max-card:hidden")}>
        {t("drivers.checkedAt", { date })}
      </span>
    </time>
  )
}
