import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation } from "@tanstack/react-query"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { requestPasswordResetMutation } from "~/api/@tanstack/react-query.gen"
import { fieldProblems, problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"
import { showToast } from "~/ui/toasts"
import { type Forgotten, vForgotten } from "./password-forms"

type ForgotPasswordFormProps = { typed: string; onSent: (email: string) => void }

export function ForgotPasswordForm({ typed, onSent }: ForgotPasswordFormProps) {
  const { t } = useTranslation()
  const form = useForm<Forgotten>({
    resolver: valibotResolver(vForgotten),
    defaultValues: { email: typed },
  })

  const request = useMutation({
    ...requestPasswordResetMutation(),
    onSuccess: (_, { body }) => onSent(body.email),
    onError: (error) => {
      showToast({
        tone: "error",
        title: t("common.error"),
        description: problemSentence(t, error, t("accounts.forgot.failed")),
      })
      if (fieldProblems(error).email) form.setFocus("email")
    },
  })
  const refused = fieldProblems(request.error).email
  const submit = form.handleSubmit((body) => request.mutate({ body }))

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
        error={form.formState.errors.email ? t("accounts.email.invalid") : refused}
        {...form.register("email")}
      />
      {request.error && !refused && (
        <Alert title={t("accounts.forgot.failed")}>
          {problemSentence(t, request.error, t("common.tryLater"))}
        </Alert>
      )}
      <Button type="submit" loading={request.isPending}>
        {t("accounts.forgot.submit")}
      </Button>
    </form>
  )
}
