import { Download, RefreshCw } from "lucide-react"
import { useTranslation } from "react-i18next"
import { exportDriver } from "~/api/sdk.gen"
import type { DriverOut } from "~/api/types.gen"
import { fullName } from "~/shared/driver-list"
import { problemSentence } from "~/shared/problem"
import { Refusal } from "~/shared/refusal"
import { useDownload } from "~/shared/use-download"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Dialog } from "~/ui/dialog"
import { showToast } from "~/ui/toasts"
import { History } from "./history"
import { useCheckDriver } from "./use-history"

type HistoryDialogProps = { driver: DriverOut; mayCheck: boolean; onClose: () => void }

/** One driver's verifications, and the button that adds one more. */
export function HistoryDialog({ driver, mayCheck, onClose }: HistoryDialogProps) {
  const { t } = useTranslation()
  const check = useCheckDriver(driver.id)
  const archive = useDownload(
    () => exportDriver({ path: { driver_id: driver.id }, parseAs: "blob", throwOnError: true }),
    `${driver.licenseNumber}.zip`,
  )
  const failure =
    check.error && problemSentence(t, check.error, t("verifications.history.checkFailed"))

  const checkNow = () => {
    archive.reset()
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
            description: problemSentence(t, error, t("verifications.history.checkFailed")),
          }),
      },
    )
  }

  const download = () => {
    check.reset()
    archive.mutate(undefined, {
      onError: (error) =>
        showToast({
          tone: "error",
          title: t("common.error"),
          description: problemSentence(t, error, t("verifications.history.exportFailed")),
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
          <Button loading={check.isPending} disabled={!mayCheck} onClick={checkNow}>
            {!check.isPending && <RefreshCw aria-hidden className="size-5" />}
            {t("verifications.history.check")}
          </Button>
          <p role="status" className="text-sm text-ink-soft empty:absolute">
            {check.isPending && t("verifications.history.checking")}
            {check.isSuccess && t("verifications.history.checked")}
            {archive.isSuccess &&
              !check.isPending &&
              !check.isSuccess &&
              t("verifications.history.exported")}
          </p>
          {!mayCheck && (
            <p className="text-sm text-ink-soft">{t("verifications.history.subscription")}</p>
          )}
          <Button
            variant="ghost"
            size="sm"
            className="ml-auto"
            loading={archive.isPending}
            onClick={download}
          >
            {!archive.isPending && <Download aria-hidden className="size-5 sm:size-4" />}
            <span className="max-sm:sr-only">{t("verifications.history.export")}</span>
          </Button>
        </div>
        {failure && (
          <Alert title={failure}>
            {check.error instanceof Refusal && check.error.retryAfter !== undefined && (
              <p>{t("verifications.history.retryIn", { count: check.error.retryAfter })}</p>
            )}
          </Alert>
        )}
        {archive.error && (
          <Alert title={t("verifications.history.exportFailed")}>
            {problemSentence(t, archive.error, t("common.tryLater"))}
          </Alert>
        )}
        <History driver={driver} />
      </div>
    </Dialog>
  )
}
