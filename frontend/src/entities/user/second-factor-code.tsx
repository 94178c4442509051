/** The forms of two-step verification: their schemas, and the field for a code. */

import type { ComponentProps } from "react"
import { useTranslation } from "react-i18next"
import * as v from "valibot"
import { stripSeparators } from "~/lib/letters"
import { Field } from "~/ui/field"

/** A code of the authenticator app. Spaces in a pasted code are ignored. */
export const vAuthenticatorCode = v.object({
  code: v.pipe(v.string(), v.transform(stripSeparators), v.regex(/^[0-9]{6}$/)),
})

/** A code of the authenticator app or a recovery code, however it is typed. */
export const vSecondFactorCode = v.object({
  code: v.pipe(v.string(), v.transform(stripSeparators), v.minLength(6)),
})

/** The consent to a change: the password and, if the account has a second factor, a code. */
export const vConsent = (takesCode: boolean) =>
  v.object({
    password: v.pipe(v.string(), v.minLength(1)),
    code: takesCode ? vSecondFactorCode.entries.code : v.string(),
  })

export type ConsentFields = v.InferOutput<ReturnType<typeof vConsent>>

/** The code of an authenticator app, or a recovery code. */
export function SecondFactorCodeField(field: Omit<ComponentProps<typeof Field>, "label">) {
  const { t } = useTranslation()
  return (
    <Field
      label={t("accounts.secondFactor.consent.code")}
      hint={t("accounts.secondFactor.consent.codeHint")}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={20}
      className="serial text-center text-xl!"
      {...field}
    />
  )
}
