import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation } from "@tanstack/react-query"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { resetPasswordMutation } from "~/api/@tanstack/react-query.gen"
import { errorMessage, fieldErrors, isApiError } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { NewPasswordFields } from "./new-password-fields"
import { type ResetPasswordFields, vResetPassword } from "./password-schemas"

const passwordFields = ["newPassword", "confirmPassword"] as const

type ResetPasswordFormProps = { token: string; onDone: () => void; onExpired: () => void }

export function ResetPasswordForm({ token, onDone, onExpired }: ResetPasswordFormProps) {
  const { t } = useTranslation()
  const form = useForm<ResetPasswordFields>({
    resolver: valibotResolver(vResetPassword),
    criteriaMode: "all", // or the resolver skips the check of the repeated password
    defaultValues: { newPassword: "", confirmPassword: "" },
  })
  const newPassword = useWatch({ control: form.control, name: "newPassword" })
  const { errors } = form.formState

  const resetPassword = useMutation({
    ...resetPasswordMutation(),
    meta: {
      failed: (error) =>
        isApiError(error, "invalid_reset_link")
          ? undefined
          : errorMessage(t, error, t("accounts.change.failed")),
      failedTitle: t("accounts.change.failedTitle"),
    },
    onSuccess: onDone,
    onError: (error) => {
      if (isApiError(error, "invalid_reset_link")) return onExpired()
      const firstInvalid = passwordFields.find((field) => fieldErrors(error)[field])
      if (firstInvalid) form.setFocus(firstInvalid)
    },
  })
  const serverErrors = fieldErrors(resetPassword.error)
  const submit = form.handleSubmit((passwords) =>
    resetPassword.mutate({ body: { token, ...passwords } }),
  )

  return (
    <form
      onSubmit={submit}
      aria-label={t("accounts.reset.title")}
      noValidate
      className="flex flex-col gap-5"
    >
      <NewPasswordFields
        newPassword={newPassword}
        register={form.register}
        errors={errors}
        serverErrors={serverErrors}
      />
      {!passwordFields.some((field) => serverErrors[field]) && (
        <ErrorAlert
          title={t("accounts.change.failedTitle")}
          error={resetPassword.error}
          fallback={t("accounts.change.failed")}
        />
      )}
      <Button type="submit" loading={resetPassword.isPending}>
        {t("accounts.change.submit")}
      </Button>
    </form>
  )
}
