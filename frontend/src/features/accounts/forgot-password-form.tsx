import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation } from "@tanstack/react-query"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { requestPasswordResetMutation } from "~/api/@tanstack/react-query.gen"
import { fieldErrors } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
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
    meta: { failed: t("accounts.forgot.failed") },
    onSuccess: (_, { body }) => onSent(body.email),
    onError: (error) => {
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
      {!emailError && <ErrorAlert title={t("accounts.forgot.failed")} error={requestReset.error} />}
      <Button type="submit" loading={requestReset.isPending}>
        {t("accounts.forgot.submit")}
      </Button>
    </form>
  )
}
