import { FileCheck } from "lucide-react"
import { useTranslation } from "react-i18next"
import { confirmCheck } from "~/api/sdk.gen"
import type { VerificationOut } from "~/api/types.gen"
import { asFile, useDownload } from "~/hooks/use-download"
import { useLanguage } from "~/hooks/use-language"
import { formatDateTime } from "~/lib/dates"
import { DownloadButton } from "~/ui/download-button"

type ConfirmationButtonProps = {
  verification: Pick<VerificationOut, "id" | "driverId" | "verifiedAt" | "licenseNumber">
  /** In a row that names the check already. */
  short?: boolean
}

/** Downloads the confirmation of one check as PDF. */
export function ConfirmationButton({ verification, short = false }: ConfirmationButtonProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id, driverId, verifiedAt, licenseNumber } = verification
  const download = useDownload(
    () =>
      confirmCheck({
        path: { driver_id: driverId, verification_id: id },
        query: { lang: language },
        ...asFile,
      }),
    `${licenseNumber}.pdf`,
    { done: t("verifications.confirmation.done"), failed: t("verifications.confirmation.failed") },
  )

  return (
    <DownloadButton
      download={download}
      icon={FileCheck}
      variant={short ? "ghost" : "secondary"}
      size="sm"
      className="self-start"
      aria-label={
        short ? t("verifications.confirmation.of", { date: formatDateTime(verifiedAt) }) : undefined
      }
    >
      {t(short ? "verifications.confirmation.short" : "verifications.confirmation.action")}
    </DownloadButton>
  )
}
