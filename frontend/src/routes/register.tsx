import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import { AccountLayout, linkStyles } from "~/features/sign-in/account-layout"
import { RegisterForm } from "~/features/sign-in/register-form"

export default function Register() {
  const { t } = useTranslation()
  return (
    <AccountLayout
      title={t("accounts.register.title")}
      intro={
        <>
          {t("accounts.register.lead")}{" "}
          <Link to="/auth/login" className={`${linkStyles} whitespace-nowrap`}>
            {t("accounts.register.login")}
          </Link>
        </>
      }
    >
      <RegisterForm />
    </AccountLayout>
  )
}
