import type { FieldError } from "react-hook-form"
import { useTranslation } from "react-i18next"

/** Translates the error of a password field. */
export function usePasswordErrorMessage() {
  const { t } = useTranslation()
  return ({ message }: FieldError): string => {
    if (message === "short") return t("accounts.change.tooShort")
    return t(
      message === "mismatch" ? "accounts.confirmPassword.mismatch" : "accounts.password.weak",
    )
  }
}
