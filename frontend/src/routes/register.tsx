import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import { AccountPage, linkLook } from "~/features/accounts/account-page"
import { RegisterForm } from "~/features/accounts/register-form"

export default function Register() {
  const { t } = useTranslation()
  return (
    <AccountPage
      title={t("accounts.register.title")}
      lead={
        <>
          {t("accounts.register.lead")}{" "}
          <Link to="/auth/login" className={linkLook}>
            {t("accounts.register.login")}
          </Link>
        </>
      }
    >
      <RegisterForm />
    </AccountPage>
  )
}
