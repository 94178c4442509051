import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgementAction, AcknowledgementWithdrawal } from "~/entities/driver/acknowledgement"
import { isWithheld } from "~/entities/driver/driver"
import { useEpisodeTexts } from "~/entities/driver/episode-texts"
import { useProductToday } from "~/hooks/use-product-now"
import { Alert } from "~/ui/alert"
import { Fact } from "~/ui/fact"

/** Why the driver may not drive and since when, what to do, and who took the driver off the road. */
export function EpisodeDetails({ driver }: { driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  const { describeSince, describeReasons, describeAuthor } = useEpisodeTexts(useProductToday())
  const { episode } = driver
  if (!episode) return null
  const { acknowledgement } = episode
  return (
    <div className="flex flex-col gap-4">
      <dl className="flex flex-col gap-3">
        {isWithheld(driver) && (
          <Fact name={t("dashboard.details.reason")}>{describeReasons(episode)}</Fact>
        )}
        <Fact name={t("dashboard.details.since")}>{describeSince(episode)}</Fact>
        {acknowledgement && (
          <Fact name={t("dashboard.details.offRoad")}>
            <span className="block">{describeAuthor(acknowledgement)}</span>
            <span className="mb-2 block font-normal">{acknowledgement.note}</span>
            <AcknowledgementWithdrawal driverId={driver.id} acknowledgement={acknowledgement} />
          </Fact>
        )}
      </dl>
      {!acknowledgement && <AcknowledgementAction driver={driver} onAcknowledged={() => {}} />}
      {isWithheld(driver) && (
        <Alert title={t("drivers.page.withheldTitle")} live="status">
          <p>
            <strong>{t("dashboard.details.whatToDo")}</strong> {t("dashboard.details.whatToDoText")}
          </p>
          <p>{t("dashboard.details.ifWrong")}</p>
        </Alert>
      )}
    </div>
  )
}
