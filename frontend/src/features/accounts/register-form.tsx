import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation } from "@tanstack/react-query"
import type { TFunction } from "i18next"
import { useForm, useWatch } from "react-hook-form"
import { Trans, useTranslation } from "react-i18next"
import { Link, useNavigate } from "react-router"
import { registerMutation } from "~/api/@tanstack/react-query.gen"
import { fieldProblems, isRefusal, problemSentence } from "~/shared/problem"
import { forgetSession } from "~/shared/session"
import { useLanguage } from "~/shared/use-language"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { CheckboxField } from "~/ui/checkbox-field"
import { Field } from "~/ui/field"
import { PasswordField } from "~/ui/password-field"
import { showToast } from "~/ui/toasts"
import { linkLook } from "./account-page"
import { type RegistrationForm, vRegistrationForm } from "./credentials"
import { PasswordChecklist } from "./password-checklist"

/** The fields that the server may refuse by name. */
const judged = ["email", "password"] as const

/** What stands beside the fields; a taken address is about its field, too, and about the whole. */
function refusedFields(t: TFunction, error: unknown) {
  if (!isRefusal(error, "email_taken")) return fieldProblems(error)
  return { email: problemSentence(t, error, t("accounts.register.failed")) }
}

export function RegisterForm() {
  const { t } = useTranslation()
  const language = useLanguage()
  const navigate = useNavigate()
  const form = useForm<RegistrationForm>({
    resolver: valibotResolver(vRegistrationForm),
    criteriaMode: "all", // or the resolver would leave out the check of the repeated password
    defaultValues: { email: "", password: "", confirmPassword: "", terms: false },
  })
  const password = useWatch({ control: form.control, name: "password" })
  const { errors } = form.formState

  const register = useMutation({
    ...registerMutation(),
    onSuccess: async ({ message }) => {
      showToast({
        title: t("common.success"),
        description: message || t("accounts.register.checkEmail"),
      })
      forgetSession()
      await navigate("/auth/verify-email")
    },
    onError: (error) => {
      showToast({
        tone: "error",
        title: t("accounts.register.failedTitle"),
        description: problemSentence(t, error, t("accounts.register.failed")),
      })
      const refused = judged.find((field) => refusedFields(t, error)[field])
      if (refused) form.setFocus(refused)
    },
  })
  const refused: Partial<Record<string, string>> = refusedFields(t, register.error)

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
        error={errors.email ? t("accounts.email.invalid") : refused.email}
        {...form.register("email")}
      />
      <PasswordField
        label={t("accounts.password.label")}
        autoComplete="new-password"
        error={errors.password ? t("accounts.password.weak") : refused.password}
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
              terms: <Link to="/terms" target="_blank" className={linkLook} />,
              privacy: <Link to="/privacy" target="_blank" className={linkLook} />,
            }}
          />
        }
        error={errors.terms && t("accounts.register.termsRequired")}
        {...form.register("terms")}
      />
      {register.error && !judged.some((field) => fieldProblems(register.error)[field]) && (
        <Alert title={t("accounts.register.failedTitle")}>
          {problemSentence(t, register.error, t("accounts.register.failed"))}
        </Alert>
      )}
      <Button type="submit" loading={register.isPending}>
        {t("accounts.register.submit")}
      </Button>
    </form>
  )
}
