import { FileCheck } from "lucide-react"
import { useTranslation } from "react-i18next"
import { confirmDay } from "~/api/sdk.gen"
import { asFile, useDownload } from "~/hooks/use-download"
import { useLanguage } from "~/hooks/use-language"
import { useProductToday } from "~/hooks/use-product-now"
import { DownloadButton } from "~/ui/download-button"

/** Downloads the confirmation of all the company's drivers today as PDF. */
export function CompanyPdf({ isShort = false }: { isShort?: boolean }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const day = useProductToday()
  const download = useDownload(
    () => confirmDay({ query: { day, lang: language }, ...asFile }),
    `${day}.pdf`,
    { done: t("verifications.confirmation.done"), failed: t("verifications.confirmation.failed") },
  )
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
