/** The forms of two-step verification: their schemas, and the field for a code. */

import type { ComponentProps } from "react"
import { useTranslation } from "react-i18next"
import * as v from "valibot"
import { stripSeparators } from "~/lib/letters"
import { CodeField } from "~/ui/code-field"

const isAuthenticatorCode = (text: string) => /^[0-9]{6}$/.test(text)

/** A code of the authenticator app. */
export const vAuthenticatorCode = v.object({
  code: v.pipe(v.string(), v.transform(stripSeparators), v.check(isAuthenticatorCode)),
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

type SecondFactorCodeFieldProps = Omit<ComponentProps<typeof CodeField>, "label"> & {
  /** Submits a complete code of the app at once; a recovery code never. */
  submits?: boolean
}

/** The code of an authenticator app, or a recovery code. */
export function SecondFactorCodeField({ submits, ...field }: SecondFactorCodeFieldProps) {
  const { t } = useTranslation()
  return (
    <CodeField
      label={t("accounts.secondFactor.consent.code")}
      hint={t("accounts.secondFactor.consent.codeHint")}
      autoCapitalize="characters"
      {...(submits && { isComplete: isAuthenticatorCode })}
      {...field}
    />
  )
}
