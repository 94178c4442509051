import { useTranslation } from "react-i18next"
import { getDataProcessingAgreement } from "~/api/sdk.gen"
import { useLanguage } from "~/hooks/use-language"
import { FileDownload } from "./file-download"

/** Downloads the company's data-processing agreement. */
export function AgreementDownload() {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <FileDownload
      fetchFile={() =>
        getDataProcessingAgreement({
          query: { lang: language },
          parseAs: "blob",
          throwOnError: true,
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
