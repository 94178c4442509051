/** The buyer on an invoice, as far as the browser can check it (docs/rules.md). */

import * as v from "valibot"
import { vBillingDetailsIn } from "~/api/valibot.gen"

const rules = vBillingDetailsIn.entries

/**
 * The server's own rules, with what its schema cannot express: names that are not blank, and a
 * street followed by a number. What else the server finds it reports beside the field.
 */
export const vBillingDetailsForm = v.object({
  companyName: v.pipe(v.nonOptional(rules.companyName), v.trim(), v.minLength(1)),
  taxId: rules.taxId,
  street: v.pipe(v.nonOptional(rules.street), v.trim(), v.regex(/\p{L}.*\s[0-9]/u)),
  postalCode: rules.postalCode,
  city: v.pipe(v.nonOptional(rules.city), v.trim(), v.minLength(1)),
})

export type BillingDetailsFields = v.InferOutput<typeof vBillingDetailsForm>

export const billingDetailsFields = [
  "companyName",
  "taxId",
  "street",
  "postalCode",
  "city",
] as const

export type BillingDetailsField = (typeof billingDetailsFields)[number]

/** "00950" or "00 950" → "00-950". */
export function formatPostalCode(text: string): string {
  return text.trim().replace(/^([0-9]{2})\s?([0-9]{3})$/, "$1-$2")
}
