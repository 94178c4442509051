import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation } from "@tanstack/react-query"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { requestPasswordResetMutation } from "~/api/@tanstack/react-query.gen"
import { errorMessage, fieldErrors } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"
import { showToast } from "~/ui/toasts"
import { type ForgotPasswordFields, vForgotPassword } from "./password-schemas"

type ForgotPasswordFormProps = { initialEmail: string; onSent: (email: string) => void }

export function ForgotPasswordForm({ initialEmail, onSent }: ForgotPasswordFormProps) {
  const { t } = useTranslation()
  const form = useForm<ForgotPasswordFields>({
    resolver: valibotResolver(vForgotPassword),
    defaultValues: { email: initialEmail },
  })

  const requestReset = useMutation({
    ...requestPasswordResetMutation(),
    onSuccess: (_, { body }) => onSent(body.email),
    onError: (error) => {
      showToast({
        tone: "error",
        title: t("common.error"),
        description: errorMessage(t, error, t("accounts.forgot.failed")),
      })
      if (fieldErrors(error).email) form.setFocus("email")
    },
  })
  const emailError = fieldErrors(requestReset.error).email
  const submit = form.handleSubmit((body) => requestReset.mutate({ body }))

  return (
    <form
      onSubmit={submit}
      aria-label={t("accounts.forgot.title")}
      noValidate
      className="flex flex-col gap-5"
    >
      <Field
        label={t("accounts.email.label")}
        type="email"
        autoComplete="username"
        error={form.formState.errors.email ? t("accounts.email.invalid") : emailError}
        {...form.register("email")}
      />
      {requestReset.error && !emailError && (
        <Alert title={t("accounts.forgot.failed")}>
          {errorMessage(t, requestReset.error, t("common.tryLater"))}
        </Alert>
      )}
      <Button type="submit" loading={requestReset.isPending}>
        {t("accounts.forgot.submit")}
      </Button>
    </form>
  )
}
