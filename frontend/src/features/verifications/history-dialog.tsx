import { Download, RefreshCw } from "lucide-react"
import { useTranslation } from "react-i18next"
import { exportDriver } from "~/api/sdk.gen"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"
import { useDownload } from "~/hooks/use-download"
import { ApiError } from "~/lib/api-error"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Dialog } from "~/ui/dialog"
import { showToast } from "~/ui/toasts"
import { useCheckDriver } from "./use-verification-history"
import { VerificationHistory } from "./verification-history"

type HistoryDialogProps = { driver: DriverSummaryOut; canCheck: boolean; onClose: () => void }

/** One driver's verifications, with a manual check and the export of the driver's data. */
export function HistoryDialog({ driver, canCheck, onClose }: HistoryDialogProps) {
  const { t } = useTranslation()
  const check = useCheckDriver(driver.id)
  const exportDownload = useDownload(
    () => exportDriver({ path: { driver_id: driver.id }, parseAs: "blob", throwOnError: true }),
    `${driver.licenseNumber}.zip`,
  )
  const checkError =
    check.error && errorMessage(t, check.error, t("verifications.history.checkFailed"))

  const checkNow = () => {
    exportDownload.reset()
    check.mutate(
      { path: { driver_id: driver.id } },
      {
        onSuccess: () =>
          showToast({
            title: t("common.success"),
            description: t("verifications.history.checked"),
          }),
        onError: (error) =>
          showToast({
            tone: "error",
            title: t("common.error"),
            description: errorMessage(t, error, t("verifications.history.checkFailed")),
          }),
      },
    )
  }

  const download = () => {
    check.reset()
    exportDownload.mutate(undefined, {
      onError: (error) =>
        showToast({
          tone: "error",
          title: t("common.error"),
          description: errorMessage(t, error, t("verifications.history.exportFailed")),
        }),
    })
  }

  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => open || onClose()}
      title={t("verifications.history.title")}
      description={
        <>
          {fullName(driver)}
          <span className="serial ml-3">{driver.licenseNumber}</span>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button loading={check.isPending} disabled={!canCheck} onClick={checkNow}>
            {!check.isPending && <RefreshCw aria-hidden className="size-5" />}
            {t("verifications.history.check")}
          </Button>
          <p role="status" className="text-sm text-ink-soft empty:absolute">
            {check.isPending && t("verifications.history.checking")}
            {check.isSuccess && t("verifications.history.checked")}
            {exportDownload.isSuccess &&
              !check.isPending &&
              !check.isSuccess &&
              t("verifications.history.exported")}
          </p>
          {!canCheck && (
            <p className="text-sm text-ink-soft">{t("verifications.history.subscription")}</p>
          )}
          <Button
            variant="ghost"
            size="sm"
            className="ml-auto"
            loading={exportDownload.isPending}
            onClick={download}
          >
            {!exportDownload.isPending && <Download aria-hidden className="size-5 sm:size-4" />}
            <span className="max-sm:sr-only">{t("verifications.history.export")}</span>
          </Button>
        </div>
        {checkError && (
          <Alert title={checkError}>
            {check.error instanceof ApiError && check.error.retryAfter !== undefined && (
              <p>{t("verifications.history.retryIn", { count: check.error.retryAfter })}</p>
            )}
          </Alert>
        )}
        {exportDownload.error && (
          <Alert title={t("verifications.history.exportFailed")}>
            {errorMessage(t, exportDownload.error, t("common.tryLater"))}
          </Alert>
        )}
        <VerificationHistory driver={driver} />
      </div>
    </Dialog>
  )
}
