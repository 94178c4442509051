import { TriangleAlert } from "lucide-react"
import { useTranslation } from "react-i18next"

/** Beside a tax id whose check digit is wrong: a hint, for the server decides (reading R17). */
export function WrongChecksum() {
  const { t } = useTranslation()
  return (
    <span className="flex items-start gap-1.5 text-caution-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t("subscription.trial.taxId.checksum")}
    </span>
  )
}
