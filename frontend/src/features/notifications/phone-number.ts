/** A Polish phone number: "+48" and nine digits, in plain ASCII. */

import * as v from "valibot"
import type { Language } from "~/shared/language"

const prefix = "+48"

/**
 * What the form accepts, blanks and dashes aside, and hands on with its prefix. A Polish reader
 * types the prefix, an English one is asked for the nine digits and may leave it out (spec, section 5).
 */
export const vPhone = (language: Language) =>
  v.object({
    phoneNumber: v.pipe(
      v.string(),
      v.transform((typed) => typed.replace(/[\s-]/g, "")),
      v.regex(language === "en" ? /^(\+48)?[0-9]{9}$/ : /^\+48[0-9]{9}$/),
      v.transform((bare) => (bare.startsWith(prefix) ? bare : prefix + bare)),
    ),
  })

export type PhoneFields = v.InferOutput<ReturnType<typeof vPhone>>

/** The code from the SMS; blanks around and inside a pasted one are not the reader's mistake. */
export const vSmsCode = v.object({
  code: v.pipe(
    v.string(),
    v.transform((typed) => typed.replace(/\s/g, "")),
    v.regex(/^[0-9]{6}$/),
  ),
})

export type SmsCodeFields = v.InferOutput<typeof vSmsCode>

/** "+48600100200" → "+48 600 100 200". */
export function formatPhone(phoneNumber: string): string {
  return phoneNumber.replace(/^(\+48)(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3 $4")
}
