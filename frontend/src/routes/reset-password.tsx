import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { useLocation, useNavigate } from "react-router"
import { logout } from "~/api/sdk.gen"
import { AccountLayout } from "~/features/accounts/account-layout"
import { ResetPasswordForm } from "~/features/accounts/reset-password-form"
import { useOptionalUser } from "~/hooks/use-user"
import { clearSession } from "~/lib/session"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button-link"

type ResetStage = "typing" | "done" | "expired"

/**
 * The target of the link in the mail. Open to signed-in users, too: the link may be opened
 * anywhere.
 */
export default function ResetPassword() {
  const { t } = useTranslation()
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token] = useState(() => new URLSearchParams(hash.slice(1)).get("token") ?? "")
  const user = useOptionalUser()
  const [stage, setStage] = useState<ResetStage>(token ? "typing" : "expired")

  // The history keeps no token, and no Referer header has had one: it was in the fragment.
  useEffect(() => {
    if (hash) void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])

  // The login is for visitors only, so a session of this browser ends here.
  const completeReset = async () => {
    if (user) await logout()
    clearSession()
    setStage("done")
  }

  return (
    <AccountLayout
      title={t("accounts.reset.title")}
      intro={stage === "typing" ? t("accounts.reset.lead") : undefined}
    >
      {stage === "typing" && (
        <ResetPasswordForm
          token={token}
          onDone={() => void completeReset()}
          onExpired={() => setStage("expired")}
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
