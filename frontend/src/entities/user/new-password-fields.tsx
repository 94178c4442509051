import type { ComponentProps } from "react"
import { useTranslation } from "react-i18next"
import { PasswordField } from "~/ui/password-field"
import { PasswordChecklist } from "./password-checklist"

type FieldOfForm = Omit<ComponentProps<typeof PasswordField>, "label">

type NewPasswordFieldsProps = {
  /** The current value of the first field, for the checklist. */
  newPassword: string
  first: FieldOfForm
  second: FieldOfForm
}

/** The new password and its confirmation, for an account that exists. */
export function NewPasswordFields({ newPassword, first, second }: NewPasswordFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <PasswordField
        label={t("accounts.change.new")}
        autoComplete="new-password"
        hint={<PasswordChecklist password={newPassword} />}
        {...first}
      />
      <PasswordField label={t("accounts.change.confirm")} autoComplete="new-password" {...second} />
    </>
  )
}
