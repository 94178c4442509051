import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { Trans, useTranslation } from "react-i18next"
import { Link } from "react-router"
import { requestPasswordResetMutation } from "~/api/@tanstack/react-query.gen"
import { vForgotPassword } from "~/entities/user/credentials"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Form, useServerForm } from "~/ui/server-form"
import { linkStyles } from "~/ui/text-link"
import { AccountLayout } from "./account-layout"

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

type ForgotPasswordFormProps = { initialEmail: string; onSent: (email: string) => void }

function ForgotPasswordForm({ initialEmail, onSent }: ForgotPasswordFormProps) {
  const { t } = useTranslation()
  const requestReset = useMutation({
    ...requestPasswordResetMutation(),
    meta: { failed: t("accounts.forgot.failed") },
  })
  const { submit, field, error } = useServerForm({
    schema: vForgotPassword,
    defaultValues: { email: initialEmail },
    call: requestReset,
    send: (body) => requestReset.mutateAsync({ body }),
    onSent: ({ email }) => onSent(email),
    autoFocus: true,
  })

  return (
    <Form submit={submit} label={t("accounts.forgot.title")}>
      <Field
        label={t("accounts.email.label")}
        type="email"
        autoComplete="username"
        {...field("email", t("accounts.email.invalid"))}
      />
      <ErrorAlert title={t("accounts.forgot.failed")} error={error} />
      <Button type="submit" loading={requestReset.isPending}>
        {t("accounts.forgot.submit")}
      </Button>
    </Form>
  )
}
