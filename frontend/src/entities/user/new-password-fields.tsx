import { Check, Circle, TriangleAlert } from "lucide-react"
import { type ComponentProps, useEffect, useState } from "react"
import type { FieldError } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { checkPassword } from "~/api/sdk.gen"
import { PasswordField } from "~/ui/password-field"
import { meetsPasswordRules, passwordRules } from "./credentials"

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

/** The rules for a new password, ticked off while it is typed. */
export function PasswordChecklist({ password }: { password: string }) {
  const { t } = useTranslation()
  const rules = passwordRules(password)
  const isCommon = useCommonPasswordCheck(password)

  return (
    <div aria-live="polite">
      <p>{t("accounts.password.rules")}</p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {(["length", "uppercase", "digit"] as const).map((rule) => {
          const Icon = rules[rule] ? Check : Circle
          return (
            <li
              key={rule}
              className={
                rules[rule] ? "flex items-center gap-2 text-valid-ink" : "flex items-center gap-2"
              }
            >
              <Icon
                aria-hidden
                className={rules[rule] ? "size-4" : "size-4 p-0.5"}
                strokeWidth={3}
              />
              {t(`accounts.password.${rule}`)}
              <span className="sr-only">
                {t(rules[rule] ? "accounts.password.met" : "accounts.password.unmet")}
              </span>
            </li>
          )
        })}
      </ul>
      {isCommon && (
        <p className="mt-2 flex items-start gap-2 rounded-md bg-caution-soft px-3 py-2 text-caution-ink">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t("accounts.password.common")}
        </p>
      )}
    </div>
  )
}

/** Milliseconds without typing before the server is asked. */
const debounceDelay = 350

/**
 * Whether a password is on the server's list of common passwords (docs/rules.md R15). The server is
 * asked only about a password that meets all other rules; without a response there is no warning.
 */
function useCommonPasswordCheck(password: string): boolean {
  const [commonPassword, setCommonPassword] = useState<string | null>(null)

  useEffect(() => {
    if (!meetsPasswordRules(password)) return
    const request = new AbortController()
    const checkIfCommon = async () => {
      const { data } = await checkPassword({ body: { password }, signal: request.signal })
      if (data?.faults.includes("common")) setCommonPassword(password)
    }
    const timer = window.setTimeout(() => void checkIfCommon(), debounceDelay)
    return () => {
      window.clearTimeout(timer)
      request.abort()
    }
  }, [password])

  return password !== "" && commonPassword === password
}

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
