import { Download } from "lucide-react"
import { useDownload } from "~/hooks/use-download"
import { DownloadButton } from "~/ui/download-button"
import { ErrorAlert } from "~/ui/error-alert"

type FileDownloadProps = {
  fetchFile: Parameters<typeof useDownload>[0]
  fileName: string
  texts: { text: string; action: string; done: string; failed: string }
}

/** A file that the server generates: what it is, a button, and the result. */
export function FileDownload({ fetchFile, fileName, texts }: FileDownloadProps) {
  const download = useDownload(fetchFile, fileName, { failed: texts.failed })

  return (
    <div className="flex flex-col items-start gap-4">
      <p className="max-w-xl text-sm text-ink-soft">{texts.text}</p>
      <ErrorAlert title={texts.failed} error={download.error} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <DownloadButton
          download={download}
          icon={<Download aria-hidden className="size-5" />}
          variant="secondary"
        >
          {texts.action}
        </DownloadButton>
        <p role="status" className="text-sm text-ink-soft empty:absolute">
          {download.isSuccess && texts.done}
        </p>
      </div>
    </div>
  )
}
