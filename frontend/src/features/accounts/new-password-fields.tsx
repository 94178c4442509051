import type { FieldErrors, UseFormRegister } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { PasswordField } from "~/ui/password-field"
import { PasswordChecklist } from "./password-checklist"
import type { ResetPasswordFields } from "./password-schemas"
import { usePasswordErrorMessage } from "./use-password-error-message"

type NewPasswordFieldsProps = {
  /** The current value of the first field, for the checklist. */
  newPassword: string
  register: UseFormRegister<ResetPasswordFields>
  errors: FieldErrors<ResetPasswordFields>
  /** The server's error messages by field. */
  serverErrors: Partial<Record<keyof ResetPasswordFields, string>>
}

/** The new password and its confirmation, for an account that exists. */
export function NewPasswordFields({
  newPassword,
  register,
  errors,
  serverErrors,
}: NewPasswordFieldsProps) {
  const { t } = useTranslation()
  const errorText = usePasswordErrorMessage()
  return (
    <>
      <PasswordField
        label={t("accounts.change.new")}
        autoComplete="new-password"
        error={errorText(errors.newPassword) ?? serverErrors.newPassword}
        hint={<PasswordChecklist password={newPassword} />}
        {...register("newPassword")}
      />
      <PasswordField
        label={t("accounts.change.confirm")}
        autoComplete="new-password"
        error={errorText(errors.confirmPassword) ?? serverErrors.confirmPassword}
        {...register("confirmPassword")}
      />
    </>
  )
}
