import { useState } from "react"
import { useTranslation } from "react-i18next"
import { Link, useLocation } from "react-router"
import { AccountLayout, linkStyles } from "~/features/sign-in/account-layout"
import { LoginForm } from "~/features/sign-in/login-form"
import { SecondFactorLoginForm } from "~/features/sign-in/second-factor-login-form"
import { nextScreen, readNextPath } from "~/lib/next-path"
import { Alert } from "~/ui/alert"

type Step = "password" | "code" | "expired"

export default function Login() {
  const { t } = useTranslation()
  const { state, search }: { state: unknown; search: string } = useLocation()
  const [step, setStep] = useState<Step>("password")
  const next = readNextPath(search)
  const target = next ?? "/panel"
  const sessionEnded = typeof state === "object" && state !== null && "sessionEnded" in state

  if (step === "code")
    return (
      <AccountLayout
        title={t("accounts.secondFactor.login.title")}
        intro={t("accounts.secondFactor.login.lead")}
      >
        <SecondFactorLoginForm
          next={target}
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
          {t("accounts.login.sessionEnded")}
        </Alert>
      )}
      {next && !sessionEnded && (
        <Alert tone="info" live="status">
          {t(`accounts.login.next.${nextScreen(next)}`)}
        </Alert>
      )}
      <LoginForm next={target} onSecondFactor={() => setStep("code")} />
    </AccountLayout>
  )
}
