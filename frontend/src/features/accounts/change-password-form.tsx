import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { changePasswordMutation, listSessionsQueryKey } from "~/api/@tanstack/react-query.gen"
import { fieldProblems, problemSentence } from "~/shared/problem"
import { useUser } from "~/shared/session"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { PasswordField } from "~/ui/password-field"
import { showToast } from "~/ui/toasts"
import { NewPasswordFields } from "./new-password-fields"
import { type PasswordChange, vPasswordChange } from "./password-forms"
import { usePasswordWords } from "./use-password-words"

const fields = ["currentPassword", "newPassword", "confirmPassword"] as const
const empty = { currentPassword: "", newPassword: "", confirmPassword: "" }

export function ChangePasswordForm() {
  const { t } = useTranslation()
  const { email } = useUser()
  const cache = useQueryClient()
  const words = usePasswordWords()
  const form = useForm<PasswordChange>({
    resolver: valibotResolver(vPasswordChange),
    criteriaMode: "all", // or the resolver would leave out the check of the repeated password
    defaultValues: empty,
  })
  const newPassword = useWatch({ control: form.control, name: "newPassword" })
  const { errors, isDirty } = form.formState

  const change = useMutation({
    ...changePasswordMutation(),
    onSuccess: () => {
      showToast({ title: t("common.success"), description: t("accounts.change.done") })
      form.reset(empty)
      void cache.invalidateQueries({ queryKey: listSessionsQueryKey() })
    },
    onError: (error) => {
      showToast({
        tone: "error",
        title: t("accounts.change.failedTitle"),
        description: problemSentence(t, error, t("accounts.change.failed")),
      })
      const refused = fields.find((field) => fieldProblems(error)[field])
      if (refused) form.setFocus(refused)
    },
  })
  const refused = fieldProblems(change.error)
  const submit = form.handleSubmit((passwords) => change.mutate({ body: passwords }))

  return (
    <form
      onSubmit={submit}
      aria-label={t("accounts.change.title")}
      noValidate
      className="flex max-w-md flex-col gap-5"
    >
      {/* a password manager would not know whose password changes */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t("accounts.change.current")}
        autoComplete="current-password"
        error={words(errors.currentPassword) ?? refused.currentPassword}
        {...form.register("currentPassword")}
      />
      <NewPasswordFields
        typed={newPassword}
        register={form.register}
        errors={errors}
        refused={refused}
      />
      {change.error && !fields.some((field) => refused[field]) && (
        <Alert title={t("accounts.change.failedTitle")}>
          {problemSentence(t, change.error, t("accounts.change.failed"))}
        </Alert>
      )}
      {change.isSuccess && !isDirty && (
        <Alert tone="valid" live="status" title={t("accounts.change.done")}>
          {t("accounts.change.doneText")}
        </Alert>
      )}
      <Button type="submit" loading={change.isPending} className="self-start">
        {t("accounts.change.submit")}
      </Button>
    </form>
  )
}
