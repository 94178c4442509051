import { Download } from "lucide-react"
import { useTranslation } from "react-i18next"
import { useDownload } from "~/hooks/use-download"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { showToast } from "~/ui/toasts"

type FileDownloadProps = {
  fetchFile: Parameters<typeof useDownload>[0]
  fileName: string
  texts: { text: string; action: string; done: string; failed: string }
}

/** A file that the server generates: what it is, a button, and the result. */
export function FileDownload({ fetchFile, fileName, texts }: FileDownloadProps) {
  const { t } = useTranslation()
  const download = useDownload(fetchFile, fileName)

  const start = () =>
    download.mutate(undefined, {
      onError: (error) =>
        showToast({
          tone: "error",
          title: t("common.error"),
          description: errorMessage(t, error, texts.failed),
        }),
    })

  return (
    <div className="flex flex-col items-start gap-4">
      <p className="max-w-xl text-sm text-ink-soft">{texts.text}</p>
      {download.error && (
        <Alert title={texts.failed}>{errorMessage(t, download.error, t("common.tryLater"))}</Alert>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="secondary" loading={download.isPending} onClick={start}>
          {!download.isPending && <Download aria-hidden className="size-5" />}
          {texts.action}
        </Button>
        <p role="status" className="text-sm text-ink-soft empty:absolute">
          {download.isSuccess && texts.done}
        </p>
      </div>
    </div>
  )
}
