/** The Polish tax id (NIP): ten digits, the last of which checks the others. */

import * as v from "valibot"

const weights = [6, 5, 7, 2, 3, 4, 5, 6, 7]

export const vTaxId = v.object({ taxId: v.pipe(v.string(), v.regex(/^[0-9]{10}$/)) })

export type TaxIdForm = v.InferOutput<typeof vTaxId>

/** What people paste, without the blanks, dashes and country code they paste it with. */
export function bareTaxId(text: string): string {
  return text.replace(/^\s*PL/i, "").replace(/[\s-]/g, "")
}

/** Whether ten digits cannot be a NIP. A hint only: the server decides (reading R17). */
export function hasWrongChecksum(taxId: string): boolean {
  if (!/^[0-9]{10}$/.test(taxId)) return false
  const sum = weights.reduce((total, weight, i) => total + weight * Number(taxId[i]), 0)
  return sum % 11 !== Number(taxId[9])
}
