import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { resetPasswordMutation } from "~/api/@tanstack/react-query.gen"
import { NewPasswordFields } from "~/entities/user/new-password-fields"
import { vResetPassword } from "~/entities/user/password-schemas"
import { usePasswordErrorMessage } from "~/entities/user/use-password-error-message"
import { errorMessage, isApiError } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Form, useServerForm } from "~/ui/server-form"

type ResetPasswordFormProps = { token: string; onDone: () => void; onExpired: () => void }

export function ResetPasswordForm({ token, onDone, onExpired }: ResetPasswordFormProps) {
  const { t } = useTranslation()
  const errorText = usePasswordErrorMessage()
  const isExpired = (error: unknown) => isApiError(error, "invalid_reset_link")
  const resetPassword = useMutation({
    ...resetPasswordMutation(),
    meta: {
      failed: (error) =>
        isExpired(error) ? undefined : errorMessage(t, error, t("accounts.change.failed")),
      failedTitle: t("accounts.change.failedTitle"),
    },
    onError: (error) => isExpired(error) && onExpired(),
  })
  const { form, submit, field, error } = useServerForm({
    schema: vResetPassword,
    criteriaMode: "all", // or the resolver skips the check of the repeated password
    defaultValues: { newPassword: "", confirmPassword: "" },
    call: resetPassword,
    send: (passwords) => resetPassword.mutateAsync({ body: { token, ...passwords } }),
    onSent: onDone,
  })

  return (
    <Form submit={submit} label={t("accounts.reset.title")}>
      <NewPasswordFields
        newPassword={form.watch("newPassword")}
        first={field("newPassword", errorText)}
        second={field("confirmPassword", errorText)}
      />
      <ErrorAlert
        title={t("accounts.change.failedTitle")}
        error={error}
        fallback={t("accounts.change.failed")}
      />
      <Button type="submit" loading={resetPassword.isPending}>
        {t("accounts.change.submit")}
      </Button>
    </Form>
  )
}
