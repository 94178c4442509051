import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation } from "@tanstack/react-query"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { resetPasswordMutation } from "~/api/@tanstack/react-query.gen"
import { fieldProblems, isRefusal, problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { showToast } from "~/ui/toasts"
import { NewPasswordFields } from "./new-password-fields"
import { type NewPassword, vNewPassword } from "./password-forms"

const fields = ["newPassword", "confirmPassword"] as const

type ResetPasswordFormProps = { token: string; onDone: () => void; onExpired: () => void }

export function ResetPasswordForm({ token, onDone, onExpired }: ResetPasswordFormProps) {
  const { t } = useTranslation()
  const form = useForm<NewPassword>({
    resolver: valibotResolver(vNewPassword),
    criteriaMode: "all", // or the resolver would leave out the check of the repeated password
    defaultValues: { newPassword: "", confirmPassword: "" },
  })
  const newPassword = useWatch({ control: form.control, name: "newPassword" })
  const { errors } = form.formState

  const reset = useMutation({
    ...resetPasswordMutation(),
    onSuccess: onDone,
    onError: (error) => {
      if (isRefusal(error, "invalid_reset_link")) return onExpired()
      showToast({
        tone: "error",
        title: t("accounts.change.failedTitle"),
        description: problemSentence(t, error, t("accounts.change.failed")),
      })
      const refused = fields.find((field) => fieldProblems(error)[field])
      if (refused) form.setFocus(refused)
    },
  })
  const refused = fieldProblems(reset.error)
  const submit = form.handleSubmit((passwords) => reset.mutate({ body: { token, ...passwords } }))

  return (
    <form
      onSubmit={submit}
      aria-label={t("accounts.reset.title")}
      noValidate
      className="flex flex-col gap-5"
    >
      <NewPasswordFields
        typed={newPassword}
        register={form.register}
        errors={errors}
        refused={refused}
      />
      {reset.error && !fields.some((field) => refused[field]) && (
        <Alert title={t("accounts.change.failedTitle")}>
          {problemSentence(t, reset.error, t("accounts.change.failed"))}
        </Alert>
      )}
      <Button type="submit" loading={reset.isPending}>
        {t("accounts.change.submit")}
      </Button>
    </form>
  )
}
