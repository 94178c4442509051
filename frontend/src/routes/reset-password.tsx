import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { useLocation, useNavigate } from "react-router"
import { logout } from "~/api/sdk.gen"
import { AccountLayout } from "~/features/sign-in/account-layout"
import { ResetPasswordForm } from "~/features/sign-in/reset-password-form"
import { useResetLink } from "~/features/sign-in/use-reset-link"
import { useOptionalUser } from "~/hooks/use-user"
import { clearSession } from "~/lib/session"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button-link"
import { Spinner } from "~/ui/spinner"

/**
 * The target of the link in the mail. Open to signed-in users, too: the link may be opened
 * anywhere.
 */
export default function ResetPassword() {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState("")
  // A second link pasted into the address of this page changes the fragment alone.
  const linkToken = new URLSearchParams(hash.slice(1)).get("token")
  if (linkToken && linkToken !== token) setToken(linkToken)

  // The history keeps no token, and no Referer header has had one: it was in the fragment.
  useEffect(() => {
    if (hash) void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])

  return <PasswordReset key={token} token={token} />
}

function PasswordReset({ token }: { token: string }) {
  const { t } = useTranslation()
  const user = useOptionalUser()
  const link = useResetLink(token)
  const [outcome, setOutcome] = useState<"done" | "expired">()
  const stage = outcome ?? link

  // The login is for visitors only, so a session of this browser ends here.
  const completeReset = async () => {
    if (user) await logout()
    clearSession()
    setOutcome("done")
  }

  return (
    <AccountLayout
      title={t("accounts.reset.title")}
      intro={stage === "usable" ? t("accounts.reset.lead") : undefined}
    >
      {stage === "checking" && <Spinner label={t("accounts.reset.checking")} />}
      {stage === "usable" && (
        <ResetPasswordForm
          token={token}
          onDone={() => void completeReset()}
          onExpired={() => setOutcome("expired")}
        />
      )}
      {stage === "expired" && (
        <>
          <Alert tone="caution" live="alert" title={t("accounts.reset.expired")}>
            {t("accounts.reset.expiredText")}
          </Alert>
          <ButtonLink to="/auth/forgot-password">{t("accounts.reset.request")}</ButtonLink>
        </>
      )}
      {stage === "done" && (
        <>
          <Alert tone="valid" live="status" title={t("accounts.reset.done")}>
            {t("accounts.reset.doneText")}
          </Alert>
          <ButtonLink to="/auth/login">{t("accounts.login.submit")}</ButtonLink>
        </>
      )}
    </AccountLayout>
  )
}
