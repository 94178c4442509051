import { useTranslation } from "react-i18next"
import { Link, useLocation } from "react-router"
import { AccountLayout, linkStyles } from "~/features/accounts/account-layout"
import { LoginForm } from "~/features/accounts/login-form"
import { nextScreen, readNextPath } from "~/lib/next-path"
import { Alert } from "~/ui/alert"

export default function Login() {
  const { t } = useTranslation()
  const { state, search }: { state: unknown; search: string } = useLocation()
  const next = readNextPath(search)
  const sessionEnded = typeof state === "object" && state !== null && "sessionEnded" in state

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
      {sessionEnded && (
        <Alert tone="info" live="status">
          {t("accounts.login.sessionEnded")}
        </Alert>
      )}
      {next && !sessionEnded && (
        <Alert tone="info" live="status">
          {t(`accounts.login.next.${nextScreen(next)}`)}
        </Alert>
      )}
      <LoginForm next={next ?? "/panel"} />
    </AccountLayout>
  )
}
