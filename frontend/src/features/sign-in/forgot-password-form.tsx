import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { requestPasswordResetMutation } from "~/api/@tanstack/react-query.gen"
import { vForgotPassword } from "~/entities/user/password-schemas"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Form, useServerForm } from "~/ui/server-form"

type ForgotPasswordFormProps = { initialEmail: string; onSent: (email: string) => void }

export function ForgotPasswordForm({ initialEmail, onSent }: ForgotPasswordFormProps) {
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
