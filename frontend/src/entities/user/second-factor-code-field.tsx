import type { ComponentProps } from "react"
import { useTranslation } from "react-i18next"
import { Field } from "~/ui/field"

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
