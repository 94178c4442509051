/** A Polish phone number: "+48" and nine digits, ASCII only. */

import * as v from "valibot"
import type { Language } from "~/lib/language"

const countryPrefix = "+48"

/**
 * Ignores spaces and dashes and adds the prefix. In Polish the prefix is required; in English the
 * form asks for nine digits and the prefix is optional (docs/rules.md).
 */
export const vPhone = (language: Language) =>
  v.object({
    phoneNumber: v.pipe(
      v.string(),
      v.transform((text) => text.replace(/[\s-]/g, "")),
      v.regex(language === "en" ? /^(\+48)?[0-9]{9}$/ : /^\+48[0-9]{9}$/),
      v.transform((digits) => (digits.startsWith(countryPrefix) ? digits : countryPrefix + digits)),
    ),
  })

export type PhoneFields = v.InferOutput<ReturnType<typeof vPhone>>

/** The code from the SMS. Spaces in a pasted code are ignored. */
export const vSmsCode = v.object({
  code: v.pipe(
    v.string(),
    v.transform((text) => text.replace(/\s/g, "")),
    v.regex(/^[0-9]{6}$/),
  ),
})

export type SmsCodeFields = v.InferOutput<typeof vSmsCode>

/** "+48600100200" → "+48 600 100 200". */
export function formatPhone(phoneNumber: string): string {
  return phoneNumber.replace(/^(\+48)(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3 $4")
}
