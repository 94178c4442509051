import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { Link, useLocation, useNavigate } from "react-router"
import { loginMutation, loginSecondFactorMutation } from "~/api/@tanstack/react-query.gen"
import { vLogin } from "~/entities/user/credentials"
import { SecondFactorCodeField, vSecondFactorCode } from "~/entities/user/second-factor-code"
import { browserLocation } from "~/hooks/use-external-redirect"
import { isUnauthenticated } from "~/lib/error-messages"
import { isConsolePath, nextScreen, readNextPath } from "~/lib/next-path"
import { clearSession, currentUser } from "~/lib/session"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { PasswordField } from "~/ui/password-field"
import { Form, useServerForm } from "~/ui/server-form"
import { LinkButton, linkStyles } from "~/ui/text-link"
import { AccountLayout } from "./account-layout"

type Step = "password" | "code" | "expired"

export default function Login() {
  const { t } = useTranslation()
  const { state, search }: { state: unknown; search: string } = useLocation()
  const [step, setStep] = useState<Step>("password")
  const next = readNextPath(search)
  const { sessionEnded } = Object(state) as { sessionEnded?: "expired" | "replaced" }

  if (step === "code")
    return (
      <AccountLayout
        title={t("accounts.secondFactor.login.title")}
        intro={t("accounts.secondFactor.login.lead")}
      >
        <SecondFactorLoginForm
          next={next}
          onBack={() => setStep("password")}
          onExpired={() => setStep("expired")}
        />
      </AccountLayout>
    )

  return (
    <AccountLayout
      title={t("accounts.login.title")}
      intro={
        <>
          {t("accounts.login.lead")}{" "}
          <Link to="/auth/register" className={`${linkStyles} whitespace-nowrap`}>
            {t("accounts.login.register")}
          </Link>
        </>
      }
    >
      {step === "expired" && <Alert>{t("accounts.secondFactor.login.expired")}</Alert>}
      {sessionEnded && step === "password" && (
        <Alert tone="info" live="status">
          {t(
            sessionEnded === "replaced"
              ? "problems.auth_other_account"
              : "accounts.login.sessionEnded",
          )}
        </Alert>
      )}
      {next && !sessionEnded && (
        <Alert tone="info" live="status">
          {t(`accounts.login.next.${nextScreen(next)}`)}
        </Alert>
      )}
      <LoginForm next={next} onSecondFactor={() => setStep("code")} />
    </AccountLayout>
  )
}

type LoginFormProps = {
  next: string | null
  /** The password was right, and the sign-in waits for a second factor. */
  onSecondFactor: () => void
}

/** Signs in and opens the path `next`. */
function LoginForm({ next, onSecondFactor }: LoginFormProps) {
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
    autoFocus: true,
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

type SecondFactorLoginFormProps = {
  /** The path that opens after the sign-in; null for the user's own first screen. */
  next: string | null
  onBack: () => void
  /** The time for the code is over. */
  onExpired: () => void
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
function SecondFactorLoginForm({ next, onBack, onExpired }: SecondFactorLoginFormProps) {
  const { t } = useTranslation()
  const openNext = useOpenNext()
  const login = useMutation({
    ...loginSecondFactorMutation(),
    onSuccess: async () => {
      clearSession()
      await openNext(next)
    },
    onError: (error) => isUnauthenticated(error) && onExpired(),
  })
  const { submit, field, error } = useServerForm({
    schema: vSecondFactorCode,
    defaultValues: { code: "" },
    call: login,
    send: (body) => login.mutateAsync({ body }),
    autoFocus: true,
    refocus: true,
  })

  return (
    <Form submit={submit} label={t("accounts.secondFactor.login.title")}>
      <SecondFactorCodeField
        submits
        {...field("code", t("accounts.secondFactor.consent.codeRequired"))}
      />
      <ErrorAlert title={t("accounts.secondFactor.login.failed")} error={error} />
      <Button type="submit" loading={login.isPending}>
        {t("accounts.secondFactor.login.submit")}
      </Button>
      <p className="text-sm">
        <LinkButton onClick={onBack}>{t("accounts.secondFactor.login.back")}</LinkButton>
      </p>
    </Form>
  )
}

/**
 * Opens the path behind the login: without one the console for operators who have no company to look
 * after, else the panel. The console is another application, which the browser loads.
 */
function useOpenNext(): (next: string | null) => Promise<void> {
  const navigate = useNavigate()
  return async (next) => {
    const user = next ? null : await currentUser().catch(() => null)
    const isOperator = user?.isAdmin && user.subscriptions.length === 0
    const path = next ?? (isOperator ? "/admin/" : "/panel")
    if (isConsolePath(path)) browserLocation.assign(path)
    else await navigate(path)
  }
}
