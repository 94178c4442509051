import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import { loginMutation } from "~/api/@tanstack/react-query.gen"
import { vLogin } from "~/entities/user/credentials"
import { clearSession } from "~/lib/session"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { PasswordField } from "~/ui/password-field"
import { Form, useServerForm } from "~/ui/server-form"
import { linkStyles } from "./account-layout"
import { useOpenNext } from "./use-open-next"

type LoginFormProps = {
  next: string
  /** The password was right, and the sign-in waits for a second factor. */
  onSecondFactor: () => void
}

/** Signs in and opens the path `next`. */
export function LoginForm({ next, onSecondFactor }: LoginFormProps) {
  const { t } = useTranslation()
  const openNext = useOpenNext()

  const login = useMutation({
    ...loginMutation(),
    meta: {
      failed: t("accounts.login.failed"),
      failedTitle: t("accounts.login.failedTitle"),
    },
    onSuccess: async (result) => {
      if ("secondFactorRequired" in result) return onSecondFactor()
      clearSession()
      await openNext(next)
    },
  })

  const { submit, field } = useServerForm({
    schema: vLogin,
    defaultValues: { email: "", password: "" },
    call: login,
    send: (body) => login.mutateAsync({ body }),
  })

  return (
    <Form submit={submit} label={t("accounts.login.title")}>
      <Field
        label={t("accounts.email.label")}
        type="email"
        autoComplete="username"
        {...field("email", t("accounts.email.invalid"))}
      />
      <PasswordField
        label={t("accounts.password.label")}
        autoComplete="current-password"
        {...field("password", t("accounts.login.passwordRequired"))}
      />
      <ErrorAlert
        title={t("accounts.login.failedTitle")}
        error={login.error}
        fallback={t("accounts.login.failed")}
      />
      <Button type="submit" loading={login.isPending}>
        {t("accounts.login.submit")}
      </Button>
      <p className="text-sm">
        <Link to="/auth/forgot-password" className={linkStyles}>
          {t("accounts.forgot.link")}
        </Link>
      </p>
    </Form>
  )
}
