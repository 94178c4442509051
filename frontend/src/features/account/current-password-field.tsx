import type { ComponentProps } from "react"
import { useTranslation } from "react-i18next"
import { useUser } from "~/hooks/use-user"
import { PasswordField } from "~/ui/password-field"

/** The user's present password. A hidden field names the account to password managers. */
export function CurrentPasswordField(field: Omit<ComponentProps<typeof PasswordField>, "label">) {
  const { t } = useTranslation()
  const { email } = useUser()
  return (
    <>
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t("accounts.change.current")}
        autoComplete="current-password"
        {...field}
      />
    </>
  )
}
