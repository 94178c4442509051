import { clsx } from "clsx"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgementAction, AcknowledgementNote } from "~/entities/driver/acknowledgement"
import { fullName, latestVerification } from "~/entities/driver/driver"
import { useEpisodeTexts } from "~/entities/driver/episode-texts"
import { formatDate } from "~/lib/dates"
import { Button } from "~/ui/button"
import { QueueRow } from "./queue-row"

/** From 1280 px on a row is 44 px high, so that a long text is cut there; its title has all of it. */
const cutText = "min-w-0 wrap-anywhere @4xl:truncate"

type WithheldDriverProps = {
  driver: DriverSummaryOut
  today: string
  /** Found since yesterday, and not acknowledged before. */
  isNew: boolean
  isFirstOpen: boolean
  /** A box that chooses the driver, if there is something to do; of a row that is done, a mark. */
  choice: ReactNode
  onDetails: () => void
  onAcknowledged: () => void
}

/**
 * A withheld driver in one row: who, why and since when, and what is to do, or who did it. A row
 * that is done stays, without its colour.
 */
export function WithheldDriver(props: WithheldDriverProps) {
  const { driver, today, isNew, isFirstOpen, choice, onDetails, onAcknowledged } = props
  const { t } = useTranslation()
  const { describeSince, describeReasons } = useEpisodeTexts(today)
  const { episode } = driver
  const isDone = Boolean(episode?.acknowledgement)
  const reasons = episode && describeReasons(episode)
  const sinceDay = episode && t("dashboard.queue.sinceDay", { date: formatDate(episode.since) })
  const checked = t("dashboard.withheld.checked", {
    date: formatDate(latestVerification(driver)?.verifiedAt ?? 0),
  })
  const cause = [reasons, sinceDay].join(" · ")
  const found = episode && (
    <p className={clsx("figures text-xs text-ink-soft", !isNew && "shrink-0")}>
      {isNew ? t("dashboard.queue.since", { at: describeSince(episode) }) : sinceDay}
    </p>
  )
  return (
    <QueueRow
      driver={driver}
      choice={choice}
      className={clsx("border-l-4 pl-3", isDone ? "border-l-line bg-sunken" : "border-l-withheld")}
      number={t("dashboard.withheld.licence", { number: driver.licenseNumber })}
      actions={
        <AcknowledgementAction
          driver={driver}
          isFirst={isFirstOpen}
          onAcknowledged={onAcknowledged}
        >
          <Button
            variant={isDone ? "ghost" : "secondary"}
            size="sm"
            className={clsx(
              "@card:@max-6xl:px-2! @card:@max-6xl:text-xs beside:max-2xl:hidden",
              isDone
                ? "@max-card:min-h-6 @max-card:px-1! @max-card:py-0 @max-card:text-xs"
                : "@max-card:min-h-11 @max-card:flex-1 @max-card:px-1!",
            )}
            aria-label={t("dashboard.withheld.detailsOf", { name: fullName(driver) })}
            onClick={onDetails}
          >
            {t("dashboard.withheld.details")}
          </Button>
        </AcknowledgementAction>
      }
    >
      {isDone ? (
        <>
          <p className="figures col-span-full flex gap-x-2 text-xs leading-tight text-ink-soft @6xl:text-sm @6xl:leading-tight">
            <span className="not-print:truncate" title={cause}>
              {cause}
            </span>
            <span className="shrink-0">{checked}</span>
          </p>
          <AcknowledgementNote driver={driver} today={today} />
        </>
      ) : (
        <>
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 @4xl:flex-nowrap">
            <p className={`${cutText} font-semibold`} title={reasons ?? ""}>
              {reasons}
            </p>
            {!isNew && found}
          </div>
          <div className="figures flex flex-wrap gap-x-2.5 text-xs leading-tight text-ink-soft @4xl:h-[1lh] @4xl:flex-nowrap @4xl:overflow-hidden @4xl:*:truncate">
            {isNew && found}
            {!isNew && (
              <p className="font-semibold text-withheld-ink">{t("dashboard.queue.nobody")}</p>
            )}
            <p>{checked}</p>
          </div>
        </>
      )}
    </QueueRow>
  )
}
