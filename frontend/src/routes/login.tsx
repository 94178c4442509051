import { useTranslation } from "react-i18next"
import { Link, useLocation } from "react-router"
import { AccountPage, linkLook } from "~/features/accounts/account-page"
import { LoginForm } from "~/features/accounts/login-form"
import { Alert } from "~/ui/alert"

export default function Login() {
  const { t } = useTranslation()
  const state: unknown = useLocation().state
  const ended = typeof state === "object" && state !== null && "sessionEnded" in state

  return (
    <AccountPage
      title={t("accounts.login.title")}
      lead={
        <>
          {t("accounts.login.lead")}{" "}
          <Link to="/auth/register" className={linkLook}>
            {t("accounts.login.register")}
          </Link>
        </>
      }
    >
      {ended && (
        <Alert tone="info" live="status">
          {t("accounts.login.sessionEnded")}
        </Alert>
      )}
      <LoginForm />
    </AccountPage>
  )
}
