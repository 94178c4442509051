/** What an invoice needs to know of the buyer (spec, section 5). The server has the last word. */

import * as v from "valibot"

const filled = v.pipe(v.string(), v.trim(), v.minLength(1))

export const vBilling = v.object({
  companyName: filled,
  taxId: v.pipe(v.string(), v.regex(/^[0-9]{10}$/)),
  // a name, and behind it a number
  street: v.pipe(v.string(), v.trim(), v.regex(/\p{L}.*\s[0-9]/u)),
  postalCode: v.pipe(v.string(), v.regex(/^[0-9]{2}-[0-9]{3}$/)),
  city: filled,
})

export type BillingFields = v.InferOutput<typeof vBilling>

export const billingFields = ["companyName", "taxId", "street", "postalCode", "city"] as const

export type BillingField = (typeof billingFields)[number]

/** "00950", as people type it, → "00-950". */
export function dashedPostalCode(text: string): string {
  return text.trim().replace(/^([0-9]{2})\s?([0-9]{3})$/, "$1-$2")
}
