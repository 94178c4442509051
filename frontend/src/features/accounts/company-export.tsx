import { Download } from "lucide-react"
import { useTranslation } from "react-i18next"
import { exportCompany } from "~/api/sdk.gen"
import { useDownload } from "~/hooks/use-download"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { showToast } from "~/ui/toasts"

/** Downloads all data of the company as one archive. */
export function CompanyExport() {
  const { t } = useTranslation()
  const exportDownload = useDownload(
    () => exportCompany({ parseAs: "blob", throwOnError: true }),
    "prawko.zip",
  )

  const download = () =>
    exportDownload.mutate(undefined, {
      onError: (error) =>
        showToast({
          tone: "error",
          title: t("common.error"),
          description: errorMessage(t, error, t("accounts.export.failed")),
        }),
    })

  return (
    <div className="flex flex-col items-start gap-4">
      <p className="max-w-xl text-sm text-ink-soft">{t("accounts.export.text")}</p>
      {exportDownload.error && (
        <Alert title={t("accounts.export.failed")}>
          {errorMessage(t, exportDownload.error, t("common.tryLater"))}
        </Alert>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="secondary" loading={exportDownload.isPending} onClick={download}>
          {!exportDownload.isPending && <Download aria-hidden className="size-5" />}
          {t("accounts.export.action")}
        </Button>
        <p role="status" className="text-sm text-ink-soft empty:absolute">
          {exportDownload.isSuccess && t("accounts.export.done")}
        </p>
      </div>
    </div>
  )
}
