import { useTranslation } from "react-i18next"
import type { AcknowledgementOut, DriverSummaryOut } from "~/api/types.gen"
import { Alert } from "~/ui/alert"
import { Fact } from "~/ui/fact"
import { AcknowledgementWithdrawal } from "./acknowledgement-withdrawal"
import { useEpisodeTexts } from "./episode-texts"

/** Of a withheld driver: why, since when, what to do, and what the company has done. */
export function EpisodeDetails({ driver, today }: { driver: DriverSummaryOut; today: string }) {
  const { t } = useTranslation()
  const { describeSince, describeReasons } = useEpisodeTexts(today)
  const { episode } = driver
  return (
    <div className="mb-5 flex flex-col gap-4 border-b border-line pb-5">
      <Alert title={t("dashboard.details.whatToDo")} live="status">
        <p>{t("dashboard.details.whatToDoText")}</p>
        <p>{t("dashboard.details.ifWrong")}</p>
      </Alert>
      {episode && (
        <dl className="flex flex-col gap-4">
          <Fact name={t("dashboard.details.reason")}>{describeReasons(episode)}</Fact>
          <Fact name={t("dashboard.details.since")}>{describeSince(episode)}</Fact>
          {episode.acknowledgement && (
            <OffRoad driverId={driver.id} acknowledgement={episode.acknowledgement} today={today} />
          )}
        </dl>
      )}
    </div>
  )
}

type OffRoadProps = { driverId: string; acknowledgement: AcknowledgementOut; today: string }

/** The person who took the driver off the road, and their note; a mistake is withdrawn here. */
function OffRoad({ driverId, acknowledgement, today }: OffRoadProps) {
  const { t } = useTranslation()
  const { describeAuthor } = useEpisodeTexts(today)

  return (
    <Fact name={t("dashboard.details.offRoad")}>
      <span className="block">{describeAuthor(acknowledgement)}</span>
      <span className="block font-normal">{acknowledgement.note}</span>
      <AcknowledgementWithdrawal driverId={driverId} acknowledgement={acknowledgement} />
    </Fact>
  )
}
