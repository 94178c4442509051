import { FileCheck, Send } from "lucide-react"
import { useTranslation } from "react-i18next"
import { confirmDay } from "~/api/sdk.gen"
import { asFile, canSharePdf, saveFile, shareFile, useDownload } from "~/hooks/use-download"
import { useLanguage } from "~/hooks/use-language"
import { useProductToday } from "~/hooks/use-product-now"
import { DownloadButton } from "~/ui/download-button"

/** The confirmation of all the company's drivers today. */
function useCompanyPdf(doneText?: string, deliver: typeof shareFile | typeof saveFile = saveFile) {
  const { t } = useTranslation()
  const lang = useLanguage()
  const day = useProductToday()
  const outcomes = { done: doneText, failed: t("verifications.confirmation.failed") }
  const fetchFile = () => confirmDay({ query: { day, lang }, ...asFile })
  return useDownload(fetchFile, `${day}.pdf`, outcomes, deliver)
}

/** Downloads it as PDF. */
export function CompanyPdf({ isShort = false }: { isShort?: boolean }) {
  const { t } = useTranslation()
  const download = useCompanyPdf(t("verifications.confirmation.done"))
  const label = t("dashboard.firstOutcome.pdf")
  return (
    <DownloadButton
      download={download}
      icon={FileCheck}
      variant="secondary"
      size="sm"
      title={isShort ? label : undefined}
      aria-label={isShort ? label : undefined}
    >
      {isShort ? t("dashboard.firstOutcome.pdfShort") : label}
    </DownloadButton>
  )
}

/** Sends the same file by a program of the user's; nothing where the browser has no way to one. */
export function SendCompanyPdf() {
  const { t } = useTranslation()
  const sharing = useCompanyPdf(undefined, shareFile)
  if (!canSharePdf()) return null
  return (
    <DownloadButton download={sharing} icon={Send} variant="secondary" size="sm">
      {t("dashboard.firstOutcome.pdfSend")}
    </DownloadButton>
  )
}
