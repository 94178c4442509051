import { clsx } from "clsx"
import type { TFunction } from "i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { DocumentStatus, describeCategoryProblems } from "~/entities/driver/document-badge"
import { categoryProblems, latestVerification } from "~/entities/driver/driver"
import { useEpisodeTexts } from "~/entities/driver/episode-texts"
import { documentState } from "~/entities/driver/expiry"
import { type MayDrive, marks } from "~/entities/driver/may-drive"
import { formatDate, formatDateTime, formatShortDate, formatTime, warsawDate } from "~/lib/dates"
import { Badge, Chip, inks } from "~/ui/badge"
import { Icon } from "~/ui/icon"

export type DailyCheck = { from: number; until: number } | undefined

type RowProps = { t: TFunction; driver: DriverSummaryOut; today: string }

/** In the table a long text is cut, so that the row has one line; its title, and paper, have all of it. */
export const cutBadges =
  "@table:not-print:[&_[data-badge]]:min-w-0 @table:not-print:[&_[data-badge]>span]:truncate"

/** The answer's icon, the document's status, what else is to be noticed, and who is off the road. */
export function StatusLine({ t, driver, today, answer }: RowProps & { answer: MayDrive }) {
  const status = latestVerification(driver)?.documentStatus
  const { tone, icon } = marks[answer]
  const words = t(`drivers.answer.${answer}`)
  return (
    <span
      className={clsx(
        "flex flex-wrap items-center gap-x-1.5 @max-card:contents @min-[76rem]:not-print:flex-nowrap beside:flex-nowrap",
        cutBadges,
      )}
    >
      <span className="flex flex-wrap items-center gap-1.5 @table:not-print:min-w-0 @table:not-print:flex-nowrap @table:[&>[data-badge]+[data-badge]]:shrink-[9999]">
        <span title={words} className={`shrink-0 ${inks[tone]}`}>
          <Icon shape={icon} className="size-5" />
          <span className="sr-only">{words}</span>
        </span>
        {status ? (
          <DocumentStatus t={t} status={status} answer={answer} icon={null} />
        ) : (
          <Badge tone="neutral" icon={null}>
            {t("verifications.unknown")}
          </Badge>
        )}
        {(answer !== "yes" || driver.overLimit) && (
          <ProblemChip t={t} driver={driver} today={today} />
        )}
      </span>
      {answer === "no" && <Handled t={t} episode={driver.episode} today={today} />}
    </span>
  )
}

/** Everything to be noticed but the dates, which `ValidityDate` shows, in one chip. */
function ProblemChip({ t, driver, today }: RowProps) {
  const { staleSince, overLimit } = driver
  const categories = describeCategoryProblems(t, driver, today)
  const codes = new Map<string | null, string[]>() // by their last day
  for (const { category, expiredOn } of categoryProblems(driver, today))
    codes.set(expiredOn, [...(codes.get(expiredOn) ?? []), category])
  const short = [...codes].map(([day, all]) =>
    day
      ? t("drivers.categoriesExpired", {
          count: all.length,
          codes: all.join(", "),
          date: formatShortDate(day, today),
        })
      : t("verifications.chips.neededMissing", { category: all.join(", ") }),
  )
  const stale = staleSince && t("verifications.chips.stale", { date: formatDate(staleSince) })
  const limit = overLimit && t("verifications.chips.overLimit")
  const isExpired = documentState(latestVerification(driver), today) === "expired"
  const join = (named: readonly string[]) =>
    [isExpired && t("verifications.chips.expired"), ...named, stale, limit]
      .filter((one) => one)
      .join(" · ")
  const text = join(categories)
  if (!text) return null
  const first = categories.length > 0 ? "needed_category" : staleSince ? "stale" : "over_limit"
  return (
    <Chip {...marks[isExpired ? "expired" : first]} title={text}>
      <span className="@table:sr-only">{text}</span>
      <span
        aria-hidden
        data-label={join(short)}
        className="hidden before:content-[attr(data-label)] @table:inline"
      />
    </Chip>
  )
}

type HandledProps = { t: TFunction; episode: DriverSummaryOut["episode"]; today: string }

/** Whether a driver who may not drive was taken off the road, when and by whom. */
function Handled({ t, episode, today }: HandledProps) {
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
      className={clsx(
        "figures text-xs leading-tight whitespace-nowrap @max-card:order-3",
        // In the table the first act says the same, in less room.
        !acknowledgement && "font-semibold text-withheld-ink @table:not-print:hidden",
      )}
    >
      {text}
    </span>
  )
}

type CheckedAtProps = {
  t: TFunction
  verifiedAt: string | undefined
  today: string
  dailyCheck: DailyCheck
}

/** In the table it is seen only where it is not of the day's check, which stands above the list. */
export function CheckedAt({ t, verifiedAt, today, dailyCheck }: CheckedAtProps) {
  if (!verifiedAt) return <span className="text-ink-soft">{t("drivers.neverChecked")}</span>
  const date = formatDateTime(verifiedAt)
  const time = Date.parse(verifiedAt)
  const shortDate = `${formatShortDate(warsawDate(time), today)}, ${formatTime(verifiedAt)}`
  const isOfDay = dailyCheck && time >= dailyCheck.from && time <= dailyCheck.until
  return (
    <time dateTime={verifiedAt} title={date} className="whitespace-nowrap">
      <span data-table-only className={clsx("@max-table:hidden", isOfDay && "sr-only")}>
        {shortDate}
      </span>
      <span data-cards-only className={clsx("@table:hidden", isOfDay && "@max-card:hidden")}>
        {t("drivers.checkedAt", { date })}
      </span>
    </time>
  )
}
