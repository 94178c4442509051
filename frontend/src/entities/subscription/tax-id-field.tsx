/** The Polish tax id (NIP): ten digits, the last of which is a check digit. */

import { TriangleAlert } from "lucide-react"
import type { ComponentProps } from "react"
import { useTranslation } from "react-i18next"
import * as v from "valibot"
import { vTrialIn } from "~/api/valibot.gen"
import { stripSeparators } from "~/lib/letters"
import { Field } from "~/ui/field"

/** Of the first nine digits; the sum modulo 11 is the tenth. */
const weights = [6, 5, 7, 2, 3, 4, 5, 6, 7]

export const vTaxId = v.object({ taxId: vTrialIn.entries.taxId })

/** "NIP: PL 123-456-32-18", as tax ids are often copied, → "1234563218". */
export function normaliseTaxId(text: string): string {
  return stripSeparators(text).replace(/^(NIP[.:]*)?(PL)?|[.:/]/gi, "")
}

/** Whether ten digits are zeros or fail the check digit. Only a hint: the server decides (docs/rules.md R17). */
export function hasInvalidTaxIdChecksum(taxId: string): boolean {
  if (!/^[0-9]{10}$/.test(taxId)) return false
  if (/^0+$/.test(taxId)) return true
  const sum = weights.reduce((total, weight, i) => total + weight * Number(taxId[i]), 0)
  return sum % 11 !== Number(taxId[9])
}

type TaxIdFieldProps = ComponentProps<typeof Field> & {
  /** The current value, for the check digit. */
  taxId: string
}

/** A field for a tax id. A wrong check digit is only hinted at, for the server decides (docs/rules.md R17). */
export function TaxIdField({ taxId, hint, ...field }: TaxIdFieldProps) {
  return (
    <Field
      {...field}
      inputMode="numeric"
      autoComplete="off"
      maxLength={10}
      clean={normaliseTaxId}
      className="figures tracking-wide"
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
