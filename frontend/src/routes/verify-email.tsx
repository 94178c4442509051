import { useTranslation } from "react-i18next"
import { AccountPage } from "~/features/accounts/account-page"
import { ButtonLink } from "~/ui/button"

/** A visitor has no code to enter: the code belongs to a session. */
export default function VerifyEmailAsVisitor() {
  const { t } = useTranslation()
  return (
    <AccountPage title={t("accounts.verify.title")}>
      <p>{t("accounts.verify.loginFirst")}</p>
      <ButtonLink to="/auth/login">{t("accounts.login.submit")}</ButtonLink>
    </AccountPage>
  )
}
