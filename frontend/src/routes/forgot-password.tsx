import { useState } from "react"
import { Trans, useTranslation } from "react-i18next"
import { Link } from "react-router"
import { AccountLayout, linkStyles } from "~/features/sign-in/account-layout"
import { ForgotPasswordForm } from "~/features/sign-in/forgot-password-form"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"

export default function ForgotPassword() {
  const { t } = useTranslation()
  const [email, setEmail] = useState("")
  const [sent, setSent] = useState(false)

  const showSent = (address: string) => {
    setEmail(address)
    setSent(true)
  }

  return (
    <AccountLayout
      title={t("accounts.forgot.title")}
      intro={sent ? undefined : t("accounts.forgot.lead")}
    >
      {sent ? (
        <>
          <Alert tone="valid" live="status" title={t("accounts.forgot.sent")}>
            <Trans
              t={t}
              i18nKey="accounts.forgot.sentText"
              values={{ email }}
              components={{ strong: <strong className="font-semibold wrap-anywhere" /> }}
            />
          </Alert>
          <p className="text-sm text-ink-soft">{t("accounts.forgot.sentHint")}</p>
          <Button variant="secondary" onClick={() => setSent(false)}>
            {t("accounts.forgot.again")}
          </Button>
        </>
      ) : (
        <ForgotPasswordForm initialEmail={email} onSent={showSent} />
      )}
      <p className="text-sm">
        <Link to="/auth/login" className={linkStyles}>
          {t("accounts.forgot.back")}
        </Link>
      </p>
    </AccountLayout>
  )
}
