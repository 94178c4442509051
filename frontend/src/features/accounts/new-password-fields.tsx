import type { FieldErrors, UseFormRegister } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { PasswordField } from "~/ui/password-field"
import { PasswordChecklist } from "./password-checklist"
import type { NewPassword } from "./password-forms"
import { usePasswordWords } from "./use-password-words"

type NewPasswordFieldsProps = {
  /** What stands in the first of the two. */
  typed: string
  register: UseFormRegister<NewPassword>
  errors: FieldErrors<NewPassword>
  /** What the server refused, in its words, by field. */
  refused: Partial<Record<keyof NewPassword, string>>
}

/** The new password and the same again, wherever one is chosen for an account that exists. */
export function NewPasswordFields({ typed, register, errors, refused }: NewPasswordFieldsProps) {
  const { t } = useTranslation()
  const words = usePasswordWords()
  return (
    <>
      <PasswordField
        label={t("accounts.change.new")}
        autoComplete="new-password"
        error={words(errors.newPassword) ?? refused.newPassword}
        hint={<PasswordChecklist password={typed} />}
        {...register("newPassword")}
      />
      <PasswordField
        label={t("accounts.change.confirm")}
        autoComplete="new-password"
        error={words(errors.confirmPassword) ?? refused.confirmPassword}
        {...register("confirmPassword")}
      />
    </>
  )
}
