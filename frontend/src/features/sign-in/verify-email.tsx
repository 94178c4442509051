import { useTranslation } from "react-i18next"
import { ButtonLink } from "~/ui/button-link"
import { AccountLayout } from "./account-layout"

/** The verification path for visitors: without a session there is no code to enter. */
export default function VerifyEmailAsVisitor() {
  const { t } = useTranslation()
  return (
    <AccountLayout title={t("accounts.verify.title")}>
      <p>{t("accounts.verify.loginFirst")}</p>
      <ButtonLink to="/auth/login">{t("accounts.login.submit")}</ButtonLink>
    </AccountLayout>
  )
}
