import { useMutation } from "@tanstack/react-query"
import type { TFunction } from "i18next"
import { Trans, useTranslation } from "react-i18next"
import { Link, useNavigate, useSearchParams } from "react-router"
import { registerMutation } from "~/api/@tanstack/react-query.gen"
import type { RegisterResponse } from "~/api/types.gen"
import { vRegistrationForm } from "~/entities/user/credentials"
import { PasswordChecklist } from "~/entities/user/new-password-fields"
import { useLanguage } from "~/hooks/use-language"
import { errorMessage, fieldErrors, isApiError } from "~/lib/error-messages"
import { limitRangeError } from "~/lib/price"
import { clearSession } from "~/lib/session"
import { Button } from "~/ui/button"
import { CheckboxField } from "~/ui/checkbox-field"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { PasswordField } from "~/ui/password-field"
import { Form, useServerForm } from "~/ui/server-form"
import { linkStyles } from "~/ui/text-link"
import { AccountLayout } from "./account-layout"
import { sampleAgreement } from "./agreement-link"

export default function Register() {
  const { t } = useTranslation()
  return (
    <AccountLayout
      title={t("accounts.register.title")}
      intro={
        <>
          {t("accounts.register.trial")}
          <br />
          {t("accounts.register.lead")}{" "}
          <Link to="/auth/login" className={`${linkStyles} whitespace-nowrap`}>
            {t("accounts.register.login")}
          </Link>
        </>
      }
    >
      <RegisterForm />
    </AccountLayout>
  )
}

/**
 * Field errors from the server. A taken address is shown at its field as well as above the form.
 */
function serverFieldErrors(t: TFunction, error: unknown) {
  if (!isApiError(error, "email_taken")) return fieldErrors(error)
  return { email: errorMessage(t, error, t("accounts.register.failed")) }
}

/** The number of drivers chosen among the prices; null without one that can be ordered. */
function readPlannedDrivers(search: URLSearchParams): number | null {
  const limit = Number(search.get("drivers") || Number.NaN)
  return limitRangeError(limit) ? null : limit
}

function RegisterForm() {
  const { t } = useTranslation()
  const language = useLanguage()
  const navigate = useNavigate()
  const plannedDrivers = readPlannedDrivers(useSearchParams()[0])

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
  })
  const { form, submit, field, error } = useServerForm({
    schema: vRegistrationForm,
    criteriaMode: "all", // or the resolver skips the check of the repeated password
    defaultValues: { email: "", password: "", confirmPassword: "", terms: false },
    call: register,
    send: ({ email, password }) =>
      register.mutateAsync({ body: { email, password, language, plannedDrivers } }),
    readErrors: (refused) => serverFieldErrors(t, refused),
    autoFocus: true,
  })
  const isTaken = isApiError(register.error, "email_taken")

  return (
    <Form submit={submit} label={t("accounts.register.title")}>
      <Field
        label={t("accounts.email.label")}
        type="email"
        autoComplete="username"
        {...field("email", t("accounts.email.invalid"))}
      />
      <PasswordField
        label={t("accounts.password.label")}
        autoComplete="new-password"
        hint={<PasswordChecklist password={form.watch("password")} />}
        {...field("password", t("accounts.password.weak"))}
      />
      <PasswordField
        label={t("accounts.confirmPassword.label")}
        autoComplete="new-password"
        {...field("confirmPassword", t("accounts.confirmPassword.mismatch"))}
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
        {...field("terms", t("accounts.register.termsRequired"))}
      />
      <ErrorAlert
        title={t("accounts.register.failedTitle")}
        error={isTaken ? register.error : error}
        fallback={t("accounts.register.failed")}
      />
      <Button type="submit" loading={register.isPending}>
        {t("accounts.register.submit")}
      </Button>
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
    </Form>
  )
}
