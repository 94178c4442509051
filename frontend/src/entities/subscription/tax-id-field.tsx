import { TriangleAlert } from "lucide-react"
import type { ComponentProps } from "react"
import { useTranslation } from "react-i18next"
import { cleanInput } from "~/ui/clean-input"
import { Field } from "~/ui/field"
import { hasInvalidTaxIdChecksum, normaliseTaxId } from "./tax-id"

type TaxIdFieldProps = ComponentProps<typeof Field> & {
  /** The current value, for the check digit. */
  taxId: string
}

/** A tax id. A wrong check digit is only hinted at, for the server decides (docs/rules.md R17). */
export function TaxIdField({ taxId, hint, ...field }: TaxIdFieldProps) {
  return (
    <Field
      {...field}
      inputMode="numeric"
      autoComplete="off"
      maxLength={10}
      className="figures tracking-wide"
      onInput={cleanInput(normaliseTaxId)}
      hint={hasInvalidTaxIdChecksum(taxId) ? <ChecksumHint /> : hint}
    />
  )
}

function ChecksumHint() {
  const { t } = useTranslation()
  return (
    <span className="flex items-start gap-1.5 text-caution-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t("subscription.trial.taxId.checksum")}
    </span>
  )
}
