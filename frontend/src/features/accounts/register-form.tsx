import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation } from "@tanstack/react-query"
import type { TFunction } from "i18next"
import { useForm, useWatch } from "react-hook-form"
import { Trans, useTranslation } from "react-i18next"
import { Link, useNavigate } from "react-router"
import { registerMutation } from "~/api/@tanstack/react-query.gen"
import type { RegisterResponse } from "~/api/types.gen"
import { useLanguage } from "~/hooks/use-language"
import { errorMessage, fieldErrors, isApiError } from "~/lib/error-messages"
import { clearSession } from "~/lib/session"
import { Button } from "~/ui/button"
import { CheckboxField } from "~/ui/checkbox-field"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { PasswordField } from "~/ui/password-field"
import { linkStyles } from "./account-layout"
import { sampleAgreement } from "./agreement-link"
import { type RegistrationForm, vRegistrationForm } from "./credentials"
import { PasswordChecklist } from "./password-checklist"

/** The fields whose errors the server reports by name. */
const serverValidatedFields = ["email", "password"] as const

/**
 * Field errors from the server. A taken address is shown at its field as well as above the form.
 */
function serverFieldErrors(t: TFunction, error: unknown) {
  if (!isApiError(error, "email_taken")) return fieldErrors(error)
  return { email: errorMessage(t, error, t("accounts.register.failed")) }
}

export function RegisterForm() {
  const { t } = useTranslation()
  const language = useLanguage()
  const navigate = useNavigate()
  const form = useForm<RegistrationForm>({
    resolver: valibotResolver(vRegistrationForm),
    criteriaMode: "all", // or the resolver skips the check of the repeated password
    defaultValues: { email: "", password: "", confirmPassword: "", terms: false },
  })
  const password = useWatch({ control: form.control, name: "password" })
  const { errors } = form.formState

  const register = useMutation({
    ...registerMutation(),
    meta: {
      done: ({ message }: RegisterResponse) => message || t("accounts.register.checkEmail"),
      failed: t("accounts.register.failed"),
      failedTitle: t("accounts.register.failedTitle"),
    },
    onSuccess: async () => {
      clearSession()
      await navigate("/auth/verify-email")
    },
    onError: (error) => {
      const firstInvalid = serverValidatedFields.find((field) => serverFieldErrors(t, error)[field])
      if (firstInvalid) form.setFocus(firstInvalid)
    },
  })
  const serverErrors: Partial<Record<string, string>> = serverFieldErrors(t, register.error)

  const submit = form.handleSubmit(({ email, password }) =>
    register.mutate({ body: { email, password, language } }),
  )

  return (
    <form
      onSubmit={submit}
      aria-label={t("accounts.register.title")}
      noValidate
      className="flex flex-col gap-5"
    >
      <Field
        label={t("accounts.email.label")}
        type="email"
        autoComplete="username"
        error={errors.email ? t("accounts.email.invalid") : serverErrors.email}
        {...form.register("email")}
      />
      <PasswordField
        label={t("accounts.password.label")}
        autoComplete="new-password"
        error={errors.password ? t("accounts.password.weak") : serverErrors.password}
        hint={<PasswordChecklist password={password} />}
        {...form.register("password")}
      />
      <PasswordField
        label={t("accounts.confirmPassword.label")}
        autoComplete="new-password"
        error={errors.confirmPassword && t("accounts.confirmPassword.mismatch")}
        {...form.register("confirmPassword")}
      />
      <CheckboxField
        label={
          <Trans
            t={t}
            i18nKey="accounts.register.terms"
            components={{
              terms: <Link to="/terms" target="_blank" className={linkStyles} />,
              privacy: <Link to="/privacy" target="_blank" className={linkStyles} />,
            }}
          />
        }
        error={errors.terms && t("accounts.register.termsRequired")}
        {...form.register("terms")}
      />
      <p className="text-sm text-ink-soft">
        <Trans
          t={t}
          i18nKey="accounts.register.annex"
          components={{
            agreement: (
              // biome-ignore lint/a11y/useAnchorContent: the text is the catalogue's
              <a
                href={sampleAgreement(language)}
                target="_blank"
                className={linkStyles}
                rel="noopener"
              />
            ),
          }}
        />
      </p>
      {!serverValidatedFields.some((field) => fieldErrors(register.error)[field]) && (
        <ErrorAlert
          title={t("accounts.register.failedTitle")}
          error={register.error}
          fallback={t("accounts.register.failed")}
        />
      )}
      <Button type="submit" loading={register.isPending}>
        {t("accounts.register.submit")}
      </Button>
    </form>
  )
}
