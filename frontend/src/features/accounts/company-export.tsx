import { useMutation } from "@tanstack/react-query"
import { Download } from "lucide-react"
import { useTranslation } from "react-i18next"
import { exportCompany } from "~/api/sdk.gen"
import { saveFile } from "~/shared/download"
import { problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { showToast } from "~/ui/toasts"

/** Everything the company has with us, as one archive. */
export function CompanyExport() {
  const { t } = useTranslation()
  const fetchArchive = useMutation({
    mutationFn: async () => {
      const { data, response } = await exportCompany({ parseAs: "blob", throwOnError: true })
      saveFile(data, response, "prawko.zip")
    },
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
      {fetchArchive.error && (
        <Alert title={t("accounts.export.failed")}>
          {problemSentence(t, fetchArchive.error, t("common.tryLater"))}
        </Alert>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant="secondary"
          loading={fetchArchive.isPending}
          onClick={() => fetchArchive.mutate()}
        >
          {!fetchArchive.isPending && <Download aria-hidden className="size-5" />}
          {t("accounts.export.action")}
        </Button>
        <p role="status" className="text-sm text-ink-soft empty:absolute">
          {fetchArchive.isSuccess && t("accounts.export.done")}
        </p>
      </div>
    </div>
  )
}
