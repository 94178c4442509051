/** A Polish phone number: "+48" and nine digits, ASCII only. */

import * as v from "valibot"
import { stripSeparators } from "~/lib/letters"

const countryPrefix = "+48"

/** Ignores blanks, dashes, brackets and other such signs, and adds the prefix where it is missing. */
export const vPhone = v.object({
  phoneNumber: v.pipe(
    v.string(),
    v.transform(cleanPhone),
    v.regex(/^(\+?48|0048)?[0-9]{9}$/),
    v.transform((digits) => countryPrefix + digits.slice(-9)),
  ),
})

/** The number without `tel:` or `kom.` and the signs that people group its digits by. */
export function cleanPhone(text: string): string {
  return stripSeparators(text).replace(/^(tel|kom)|[().:/]/gi, "")
}

/** The code from the SMS. */
export const vSmsCode = v.object({
  code: v.pipe(v.string(), v.transform(stripSeparators), v.regex(/^[0-9]{6}$/)),
})

/** "+48600100200" → "+48 600 100 200". */
export function formatPhone(phoneNumber: string): string {
  return phoneNumber.replace(/^(\+48)(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3 $4")
}
