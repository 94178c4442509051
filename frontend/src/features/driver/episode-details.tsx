import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgementAction, AcknowledgementWithdrawal } from "~/entities/driver/acknowledgement"
import { isWithheld } from "~/entities/driver/driver"
import { useEpisodeTexts } from "~/entities/driver/episode-texts"
import { useProductToday } from "~/hooks/use-product-now"
import { Fact } from "~/ui/fact"

/** What to do about a driver in an episode, and who took the driver off the road. */
export function EpisodeDetails({ driver }: { driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  const { describeAuthor } = useEpisodeTexts(useProductToday())
  const acknowledgement = driver.episode?.acknowledgement
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {acknowledgement && (
        <dl>
          <Fact name={t("dashboard.details.offRoad")}>
            <span className="block">{describeAuthor(acknowledgement)}</span>
            <span className="mb-2 block font-normal">{acknowledgement.note}</span>
            <AcknowledgementWithdrawal driverId={driver.id} acknowledgement={acknowledgement} />
          </Fact>
        </dl>
      )}
      {!acknowledgement && <AcknowledgementAction driver={driver} onAcknowledged={() => {}} />}
      {isWithheld(driver) && (
        <p className="text-sm text-ink-soft">
          <strong>{t("dashboard.details.whatToDo")}</strong>{" "}
          <span>{t("dashboard.details.whatToDoText")}</span>{" "}
          <span>{t("dashboard.details.ifWrong")}</span>
        </p>
      )}
    </div>
  )
}
