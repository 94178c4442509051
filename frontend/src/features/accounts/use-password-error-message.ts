import type { FieldError } from "react-hook-form"
import { useTranslation } from "react-i18next"

/** Translates the error of a password field; undefined if there is none. */
export function usePasswordErrorMessage() {
  const { t } = useTranslation()
  return (error: FieldError | undefined): string | undefined => {
    switch (error?.message) {
      case undefined:
        return undefined
      case "short":
        return t("accounts.change.tooShort")
      case "mismatch":
        return t("accounts.confirmPassword.mismatch")
      default:
        return t("accounts.password.weak")
    }
  }
}
