import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgementAction } from "~/entities/driver/acknowledgement"
import { driverPath, fullName, latestVerification } from "~/entities/driver/driver"
import { useEpisodeTexts } from "~/entities/driver/episode-texts"
import { formatDate } from "~/lib/dates"
import { Button } from "~/ui/button"

type WithheldDriverProps = {
  driver: DriverSummaryOut
  today: string
  onDetails: () => void
  onAcknowledged: () => void
}

/** A newly withheld driver: what happened, and the two things to do. */
export function NewlyWithheld({ driver, today, ...actions }: WithheldDriverProps) {
  const { t } = useTranslation()
  const { describeSince, describeReasons } = useEpisodeTexts(today)
  const { episode } = driver
  return (
    <li className="@container flex flex-col gap-3 rounded-md border-l-4 border-withheld bg-surface py-3 pr-4 pl-3.5">
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 @max-sm:flex-col">
          <h4 className="text-lg font-bold wrap-anywhere">
            <DriverLink driver={driver} />
          </h4>
          <LicenceNumber driver={driver} />
        </div>
        {episode && (
          <p className="mt-0.5 text-sm font-semibold wrap-anywhere">{describeReasons(episode)}</p>
        )}
        <div className="mt-0.5 flex flex-wrap gap-x-4">
          {episode && (
            <p className="figures text-sm">
              {t("dashboard.queue.since", { at: describeSince(episode) })}
            </p>
          )}
          <CheckedOn driver={driver} />
        </div>
      </div>
      <DriverActions driver={driver} {...actions} />
    </li>
  )
}

/**
 * A withheld driver that the company knows of: since when, and who took the driver off the road.
 */
export function KnownWithheld({ driver, today, ...actions }: WithheldDriverProps) {
  const { t } = useTranslation()
  const { describeAuthor } = useEpisodeTexts(today)
  const acknowledgement = driver.episode?.acknowledgement
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h4 className="font-bold wrap-anywhere">
            <DriverLink driver={driver} />
          </h4>
          <LicenceNumber driver={driver} />
        </div>
        {acknowledgement ? (
          <p className="figures text-sm wrap-anywhere">
            {t("dashboard.queue.by", { who: describeAuthor(acknowledgement) })}
          </p>
        ) : (
          <p className="text-sm font-semibold text-withheld-ink">{t("dashboard.queue.nobody")}</p>
        )}
        <div className="figures flex flex-wrap gap-x-4 text-sm">
          {driver.episode && (
            <p>{t("dashboard.queue.sinceDay", { date: formatDate(driver.episode.since) })}</p>
          )}
          <CheckedOn driver={driver} />
        </div>
      </div>
      <DriverActions driver={driver} {...actions} />
    </li>
  )
}

function DriverLink({ driver }: { driver: DriverSummaryOut }) {
  return (
    <Link to={driverPath(driver.id)} className="rounded-sm underline-offset-3 hover:underline">
      {fullName(driver)}
    </Link>
  )
}

function LicenceNumber({ driver }: { driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  return (
    <p className="serial text-sm text-ink-soft">
      {t("dashboard.withheld.licence", { number: driver.licenseNumber })}
    </p>
  )
}

function CheckedOn({ driver }: { driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  return (
    <p className="figures text-sm text-ink-soft">
      {t("dashboard.withheld.checked", {
        date: formatDate(latestVerification(driver)?.verifiedAt ?? 0),
      })}
    </p>
  )
}

function DriverActions({
  driver,
  onDetails,
  onAcknowledged,
}: Pick<WithheldDriverProps, "driver" | "onDetails" | "onAcknowledged">) {
  const { t } = useTranslation()
  return (
    <AcknowledgementAction driver={driver} onAcknowledged={onAcknowledged}>
      <Button
        variant="secondary"
        size="sm"
        aria-label={t("dashboard.withheld.detailsOf", { name: fullName(driver) })}
        onClick={onDetails}
      >
        {t("dashboard.withheld.details")}
      </Button>
    </AcknowledgementAction>
  )
}
