import { useTranslation } from "react-i18next"
import type { AcknowledgementOut, DriverSummaryOut } from "~/api/types.gen"
import {
  CategoryProblemChips,
  DateStateChip,
  DocumentStatus,
  ExpiryDate,
} from "~/entities/driver/document-badge"
import { driverPath, latestVerification } from "~/entities/driver/driver"
import { DriverIdentity } from "~/entities/driver/driver-identity"
import { mayDrive } from "~/entities/driver/may-drive"
import { useProductToday } from "~/hooks/use-product-now"
import { formatCalendarDate } from "~/lib/dates"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button-link"
import { Dialog } from "~/ui/dialog"
import { Fact } from "~/ui/fact"
import { AcknowledgementWithdrawal } from "./acknowledgement"
import { useEpisodeTexts } from "./episode-texts"

type VerificationDialogProps = { driver: DriverSummaryOut; onClose: () => void }

/** 'Szczegóły weryfikacji': a driver's latest verification in detail. */
export function VerificationDialog({ driver, onClose }: VerificationDialogProps) {
  const { t } = useTranslation()
  const today = useProductToday()
  const latest = latestVerification(driver)
  const categories = latest?.categories ?? []

  return (
    <Dialog
      open
      unpadded
      onClose={onClose}
      title={t("dashboard.details.title")}
      description={<DriverIdentity driver={driver} />}
    >
      <section
        aria-label={t("dashboard.details.title")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
        className="overflow-y-auto overscroll-contain rounded-b-lg border-t border-line p-5 focus-visible:-outline-offset-2"
      >
        {latest?.status === "invalid" && <EpisodeDetails driver={driver} today={today} />}
        <dl className="flex flex-col gap-4">
          <Fact name={t("dashboard.details.documentStatus")}>
            {latest?.documentStatus ? (
              <DocumentStatus status={latest.documentStatus} answer={mayDrive(driver, today)} />
            ) : (
              t("dashboard.details.noData")
            )}
          </Fact>
          <Fact name={t("dashboard.details.expiryDate")}>
            <ExpiryDate
              verification={latest}
              today={today}
              missing={t("dashboard.details.noData")}
            />
          </Fact>
          <Fact name={t("dashboard.details.authority")}>
            {latest?.issuingAuthority ?? t("dashboard.details.noData")}
          </Fact>
          {driver.neededCategories.length > 0 && (
            <Fact name={t("dashboard.details.neededCategories")}>
              <span className="flex flex-wrap items-center gap-2">
                {driver.neededCategories.join(", ")}
                <CategoryProblemChips driver={driver} today={today} />
              </span>
            </Fact>
          )}
          <Fact name={t("dashboard.details.categories")}>
            {categories.length === 0 ? (
              t("dashboard.details.noCategories")
            ) : (
              <ul className="divide-y divide-line rounded-md border border-line">
                {categories.map(({ kategoria, dataWaznosci }) => (
                  <li
                    key={kategoria}
                    className="flex items-baseline justify-between gap-4 px-3 py-1.5"
                  >
                    <span className="font-bold">{kategoria}</span>{" "}
                    <span className="figures flex flex-wrap items-baseline justify-end gap-2 text-sm font-normal text-ink-soft">
                      <DateStateChip lastDay={dataWaznosci} today={today} />{" "}
                      {dataWaznosci
                        ? t("dashboard.details.validUntil", {
                            date: formatCalendarDate(dataWaznosci),
                          })
                        : t("dashboard.details.noExpiry")}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Fact>
        </dl>
        <ButtonLink to={driverPath(driver.id)} variant="secondary" size="sm" className="mt-5">
          {t("drivers.page.card")}
        </ButtonLink>
      </section>
    </Dialog>
  )
}

/** For a withheld driver: the reasons, the begin, what to do, and the acknowledgement. */
function EpisodeDetails({ driver, today }: { driver: DriverSummaryOut; today: string }) {
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
