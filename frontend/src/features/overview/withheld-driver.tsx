import { clsx } from "clsx"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgementAction, AcknowledgementNote } from "~/entities/driver/acknowledgement"
import { fullName, latestVerification } from "~/entities/driver/driver"
import { useEpisodeTexts } from "~/entities/driver/episode-texts"
import { formatDate } from "~/lib/dates"
import { Button } from "~/ui/button"
import { Hyphenated } from "~/ui/hyphenated"
import { queueRow } from "./queue-keys"

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
  return (
    <li
      {...queueRow}
      className={clsx(
        "grid items-center gap-x-5 gap-y-2 border-l-4 py-2 pr-4 pl-3",
        "@3xl:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_auto] @4xl:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_22rem]",
        isDone ? "border-l-line bg-sunken" : "border-l-withheld",
      )}
    >
      <div className="flex min-w-0 items-start gap-3">
        {choice}
        <div className="min-w-0">
          <h4 className="font-bold wrap-anywhere">
            <Link
              to={`?driver=${driver.id}`}
              className="rounded-sm underline-offset-3 hover:underline"
            >
              <Hyphenated>{fullName(driver)}</Hyphenated>
            </Link>
          </h4>
          <p className="serial text-sm text-ink-soft">
            {t("dashboard.withheld.licence", { number: driver.licenseNumber })}
          </p>
        </div>
      </div>
      <div className="min-w-0 text-sm">
        {episode && <p className="font-semibold wrap-anywhere">{describeReasons(episode)}</p>}
        <div className="figures flex flex-wrap gap-x-4">
          {episode && (
            <p>
              {isNew
                ? t("dashboard.queue.since", { at: describeSince(episode) })
                : t("dashboard.queue.sinceDay", { date: formatDate(episode.since) })}
            </p>
          )}
          <p className="text-ink-soft">
            {t("dashboard.withheld.checked", {
              date: formatDate(latestVerification(driver)?.verifiedAt ?? 0),
            })}
          </p>
        </div>
        {!isNew && !isDone && (
          <p className="font-semibold text-withheld-ink">{t("dashboard.queue.nobody")}</p>
        )}
        <AcknowledgementNote driver={driver} today={today} />
      </div>
      <div className="justify-end @4xl:flex has-[form]:col-span-full">
        <AcknowledgementAction driver={driver} onAcknowledged={onAcknowledged}>
          <Button
            variant="secondary"
            size="sm"
            className="max-sm:min-h-11"
            aria-label={t("dashboard.withheld.detailsOf", { name: fullName(driver) })}
            onClick={onDetails}
          >
            {t("dashboard.withheld.details")}
          </Button>
        </AcknowledgementAction>
      </div>
    </li>
  )
}
