import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { changePasswordMutation } from "~/api/@tanstack/react-query.gen"
import { useUser } from "~/hooks/use-user"
import { refetchQueries } from "~/lib/cached-queries"
import { fieldErrors } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { PasswordField } from "~/ui/password-field"
import { NewPasswordFields } from "./new-password-fields"
import { type ChangePasswordFields, vChangePassword } from "./password-schemas"
import { usePasswordErrorMessage } from "./use-password-error-message"

const passwordFields = ["currentPassword", "newPassword", "confirmPassword"] as const
const emptyForm = { currentPassword: "", newPassword: "", confirmPassword: "" }

export function ChangePasswordForm() {
  const { t } = useTranslation()
  const { email } = useUser()
  const cache = useQueryClient()
  const errorText = usePasswordErrorMessage()
  const form = useForm<ChangePasswordFields>({
    resolver: valibotResolver(vChangePassword),
    criteriaMode: "all", // or the resolver skips the check of the repeated password
    defaultValues: emptyForm,
  })
  const newPassword = useWatch({ control: form.control, name: "newPassword" })
  const { errors, isDirty } = form.formState

  const changePassword = useMutation({
    ...changePasswordMutation(),
    meta: {
      done: t("accounts.change.done"),
      failed: t("accounts.change.failed"),
      failedTitle: t("accounts.change.failedTitle"),
    },
    onSuccess: () => {
      form.reset(emptyForm)
      void refetchQueries(cache, "sessions")
    },
    onError: (error) => {
      const firstInvalid = passwordFields.find((field) => fieldErrors(error)[field])
      if (firstInvalid) form.setFocus(firstInvalid)
    },
  })
  const serverErrors = fieldErrors(changePassword.error)
  const submit = form.handleSubmit((passwords) => changePassword.mutate({ body: passwords }))

  return (
    <form
      onSubmit={submit}
      aria-label={t("accounts.change.title")}
      noValidate
      className="flex max-w-md flex-col gap-5"
    >
      {/* tells password managers which account's password changes */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t("accounts.change.current")}
        autoComplete="current-password"
        error={errorText(errors.currentPassword) ?? serverErrors.currentPassword}
        {...form.register("currentPassword")}
      />
      <NewPasswordFields
        newPassword={newPassword}
        register={form.register}
        errors={errors}
        serverErrors={serverErrors}
      />
      {!passwordFields.some((field) => serverErrors[field]) && (
        <ErrorAlert
          title={t("accounts.change.failedTitle")}
          error={changePassword.error}
          fallback={t("accounts.change.failed")}
        />
      )}
      {changePassword.isSuccess && !isDirty && (
        <Alert tone="valid" live="status" title={t("accounts.change.done")}>
          {t("accounts.change.doneText")}
        </Alert>
      )}
      <Button type="submit" loading={changePassword.isPending} className="self-start">
        {t("accounts.change.submit")}
      </Button>
    </form>
  )
}
