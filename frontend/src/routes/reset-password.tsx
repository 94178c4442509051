import { useState } from "react"
import { useTranslation } from "react-i18next"
import { useSearchParams } from "react-router"
import { logout } from "~/api/sdk.gen"
import { AccountPage } from "~/features/accounts/account-page"
import { ResetPasswordForm } from "~/features/accounts/reset-password-form"
import { forgetSession, useMaybeUser } from "~/shared/session"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button"

type Stage = "typing" | "done" | "expired"

/** Where the mail's link leads. Open to who is signed in as well: the link may be opened anywhere. */
export default function ResetPassword() {
  const { t } = useTranslation()
  const token = useSearchParams()[0].get("token") ?? ""
  const user = useMaybeUser()
  const [stage, setStage] = useState<Stage>(token ? "typing" : "expired")

  // The login is for visitors, so a session that this browser still has ends here.
  const done = async () => {
    if (user) await logout()
    forgetSession()
    setStage("done")
  }

  return (
    <AccountPage
      title={t("accounts.reset.title")}
      lead={stage === "typing" ? t("accounts.reset.lead") : undefined}
    >
      {stage === "typing" && (
        <ResetPasswordForm
          token={token}
          onDone={() => void done()}
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
    </AccountPage>
  )
}
