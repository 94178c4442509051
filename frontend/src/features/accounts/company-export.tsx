import { Download } from "lucide-react"
import { useTranslation } from "react-i18next"
import { exportCompany } from "~/api/sdk.gen"
import { problemSentence } from "~/shared/problem"
import { useDownload } from "~/shared/use-download"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { showToast } from "~/ui/toasts"

/** Everything the company has with us, as one archive. */
export function CompanyExport() {
  const { t } = useTranslation()
  const archive = useDownload(
    () => exportCompany({ parseAs: "blob", throwOnError: true }),
    "prawko.zip",
  )

  const download = () =>
    archive.mutate(undefined, {
      onError: (error) =>
        showToast({
          tone: "error",
          title: t("common.error"),
          description: problemSentence(t, error, t("accounts.export.failed")),
        }),
    })

  return (
    <div className="flex flex-col items-start gap-4">
      <p className="max-w-xl text-sm text-ink-soft">{t("accounts.export.text")}</p>
      {archive.error && (
        <Alert title={t("accounts.export.failed")}>
          {problemSentence(t, archive.error, t("common.tryLater"))}
        </Alert>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="secondary" loading={archive.isPending} onClick={download}>
          {!archive.isPending && <Download aria-hidden className="size-5" />}
          {t("accounts.export.action")}
        </Button>
        <p role="status" className="text-sm text-ink-soft empty:absolute">
          {archive.isSuccess && t("accounts.export.done")}
        </p>
      </div>
    </div>
  )
}
