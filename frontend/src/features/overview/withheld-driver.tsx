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
  /** Found since yesterday, and not acknowledged. */
  isNew: boolean
  /** A box that chooses the driver, if there is something to do. */
  choice: ReactNode
  onDetails: () => void
  onAcknowledged: () => void
}

/**
 * A withheld driver in one row: who, why and since when, and what is to do, or who did it. A row
 * that is done stays, without its colour.
 */
export function WithheldDriver(props: WithheldDriverProps) {
  const { driver, today, isNew, choice, onDetails, onAcknowledged } = props
  const { t } = useTranslation()
  const { describeSince, describeReasons } = useEpisodeTexts(today)
  const { episode } = driver
  const isDone = Boolean(episode?.acknowledgement)
  const reasons = episode && describeReasons(episode)
  return (
    <QueueRow
      driver={driver}
      choice={choice}
      className={clsx(
        "border-l-4 pl-3 @4xl:grid-cols-[minmax(0,1.2fr)_10.75rem_minmax(0,1.4fr)_19.5rem] @6xl:grid-cols-[minmax(0,1fr)_10.75rem_minmax(0,1.4fr)_22.5rem]",
        isDone ? "border-l-line bg-sunken" : "border-l-withheld",
      )}
      facts={
        <>
          <p className="serial">
            {t("dashboard.withheld.licence", { number: driver.licenseNumber })}
          </p>
          <p className="figures">
            {t("dashboard.withheld.checked", {
              date: formatDate(latestVerification(driver)?.verifiedAt ?? 0),
            })}
          </p>
        </>
      }
      actions={
        <AcknowledgementAction driver={driver} onAcknowledged={onAcknowledged}>
          <Button
            variant="secondary"
            size="sm"
            className="max-sm:min-h-11 max-sm:flex-1 max-sm:px-1! @max-6xl:px-2!"
            aria-label={t("dashboard.withheld.detailsOf", { name: fullName(driver) })}
            onClick={onDetails}
          >
            {t("dashboard.withheld.details")}
          </Button>
        </AcknowledgementAction>
      }
    >
      <AcknowledgementNote driver={driver} today={today} />
      {!isNew && !isDone && (
        <p className={`${cutText} font-semibold text-withheld-ink`}>
          {t("dashboard.queue.nobody")}
        </p>
      )}
      {episode && (
        <div
          className={clsx(
            "flex min-w-0 flex-wrap gap-x-3 @4xl:flex-nowrap",
            isNew ? "@4xl:flex-col" : "@4xl:flex-row-reverse @4xl:justify-end @4xl:text-xs",
          )}
        >
          <p className={clsx(cutText, isNew && "font-semibold")} title={reasons ?? ""}>
            {reasons}
          </p>
          <p className="figures text-ink-soft @4xl:shrink-0 @4xl:text-xs @4xl:whitespace-nowrap">
            {isNew
              ? t("dashboard.queue.since", { at: describeSince(episode) })
              : t("dashboard.queue.sinceDay", { date: formatDate(episode.since) })}
          </p>
        </div>
      )}
    </QueueRow>
  )
}
