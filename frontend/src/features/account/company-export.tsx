import { useTranslation } from "react-i18next"
import { exportCompany } from "~/api/sdk.gen"
import { FileDownload } from "./file-download"

/** Downloads all data of the company as one archive. */
export function CompanyExport() {
  const { t } = useTranslation()
  return (
    <FileDownload
      fetchFile={() => exportCompany({ parseAs: "blob", throwOnError: true })}
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
