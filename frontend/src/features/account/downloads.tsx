import { useTranslation } from "react-i18next"
import { exportCompany, getDataProcessingAgreement } from "~/api/sdk.gen"
import { asFile, useDownload } from "~/hooks/use-download"
import { useLanguage } from "~/hooks/use-language"
import { DownloadButton } from "~/ui/download-button"
import { ErrorAlert } from "~/ui/error-alert"

/** Downloads the company's data-processing agreement. */
export function AgreementDownload() {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <FileDownload
      fetchFile={() =>
        getDataProcessingAgreement({
          query: { lang: language },
          ...asFile,
        })
      }
      fileName="prawko-agreement.pdf"
      texts={{
        text: t("accounts.agreement.text"),
        action: t("accounts.agreement.action"),
        done: t("accounts.agreement.done"),
        failed: t("accounts.agreement.failed"),
      }}
    />
  )
}

/** Downloads all data of the company as one archive. */
export function CompanyExport() {
  const { t } = useTranslation()
  return (
    <FileDownload
      fetchFile={() => exportCompany({ ...asFile })}
      fileName="prawko.zip"
      texts={{
        text: t("accounts.export.text"),
        action: t("accounts.export.action"),
        done: t("accounts.export.done"),
        failed: t("accounts.export.failed"),
      }}
    />
  )
}

type FileDownloadProps = {
  fetchFile: Parameters<typeof useDownload>[0]
  fileName: string
  texts: { text: string; action: string; done: string; failed: string }
}

/** A file that the server generates: what it is, a button, and the result. */
function FileDownload({ fetchFile, fileName, texts }: FileDownloadProps) {
  const download = useDownload(fetchFile, fileName, { failed: texts.failed })

  return (
    <div className="flex flex-col items-start gap-4">
      <p className="max-w-xl text-sm text-ink-soft">{texts.text}</p>
      <ErrorAlert title={texts.failed} error={download.error} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <DownloadButton download={download} variant="secondary">
          {texts.action}
        </DownloadButton>
        <p role="status" className="text-sm text-ink-soft empty:absolute">
          {download.isSuccess && texts.done}
        </p>
      </div>
    </div>
  )
}
