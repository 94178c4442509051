import { clsx } from "clsx"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgementAction, AcknowledgementNote } from "~/entities/driver/acknowledgement"
import { fullName, latestVerification } from "~/entities/driver/driver"
import { useEpisodeTexts } from "~/entities/driver/episode-texts"
import { formatDate } from "~/lib/dates"
import { Button } from "~/ui/button"
import { cutText, QueueRow } from "./queue-row"

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
  const doneText = [reasons, checked, sinceDay].join(" · ")
  const found = episode && (
    <p className={clsx("figures text-ink-soft @4xl:text-xs", !isNew && "shrink-0")}>
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
            variant="secondary"
            size="sm"
            className="max-sm:min-h-11 max-sm:flex-1 max-sm:px-1! @4xl:@max-6xl:px-2! @4xl:@max-6xl:text-xs"
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
          <p className={`${cutText} figures text-ink-soft`} title={doneText}>
            {doneText}
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
          <div className="figures flex flex-wrap gap-x-2.5 text-ink-soft @4xl:h-[1lh] @4xl:flex-nowrap @4xl:overflow-hidden @4xl:text-xs @4xl:leading-tight @4xl:*:truncate">
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
