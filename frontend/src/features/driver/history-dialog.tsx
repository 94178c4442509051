import { useTranslation } from "react-i18next"
import { exportDriver } from "~/api/sdk.gen"
import type { DriverSummaryOut } from "~/api/types.gen"
import { driverPath } from "~/entities/driver/driver"
import { DriverIdentity } from "~/entities/driver/driver-identity"
import { asFile, useDownload } from "~/hooks/use-download"
import { ButtonLink } from "~/ui/button-link"
import { Dialog } from "~/ui/dialog"
import { DownloadButton } from "~/ui/download-button"
import { ErrorAlert } from "~/ui/error-alert"
import { ChangeList } from "./change-list"
import { CheckNow } from "./check-now"

type HistoryDialogProps = { driver: DriverSummaryOut; canCheck: boolean; onClose: () => void }

/**
 * One driver's verifications, with a manual check and the export of the driver's data: the short
 * form of the driver's page. At most 400 px of them are shown at a time.
 */
export function HistoryDialog({ driver, canCheck, onClose }: HistoryDialogProps) {
  const { t } = useTranslation()
  const exportDownload = useDownload(
    () => exportDriver({ path: { driver_id: driver.id }, ...asFile }),
    `${driver.licenseNumber}.zip`,
    { failed: t("verifications.history.exportFailed") },
  )

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("verifications.history.title")}
      description={<DriverIdentity driver={driver} />}
    >
      <div className="flex flex-col gap-4">
        <CheckNow driver={driver} canCheck={canCheck}>
          <DownloadButton
            download={exportDownload}
            variant="ghost"
            size="sm"
            className="max-sm:-ml-3 sm:ml-auto"
          >
            {t("verifications.history.export")}
          </DownloadButton>
        </CheckNow>
        <p role="status" className="text-sm text-ink-soft empty:absolute">
          {exportDownload.isSuccess && t("verifications.history.exported")}
        </p>
        <ErrorAlert title={t("verifications.history.exportFailed")} error={exportDownload.error} />
        <section
          aria-label={t("verifications.history.list")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
          tabIndex={0}
          className="max-h-[400px] overflow-y-auto rounded-lg border border-line"
        >
          <ChangeList driver={driver} openNewest />
        </section>
        <ButtonLink to={driverPath(driver.id)} variant="ghost" size="sm" className="self-start">
          {t("drivers.page.card")}
        </ButtonLink>
      </div>
    </Dialog>
  )
}
