import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { changePasswordMutation } from "~/api/@tanstack/react-query.gen"
import { vChangePassword } from "~/entities/user/credentials"
import { NewPasswordFields, usePasswordErrorMessage } from "~/entities/user/new-password-fields"
import { refetchQueries } from "~/lib/cached-queries"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Form, useServerForm } from "~/ui/server-form"
import { CurrentPasswordField } from "./current-password-field"

const emptyForm = { currentPassword: "", newPassword: "", confirmPassword: "" }

export function ChangePasswordForm() {
  const { t } = useTranslation()
  const errorText = usePasswordErrorMessage()
  const changePassword = useMutation({
    ...changePasswordMutation(),
    meta: {
      done: t("accounts.change.done"),
      failed: t("accounts.change.failed"),
      failedTitle: t("accounts.change.failedTitle"),
    },
    onSuccess: () => void refetchQueries("sessions"),
  })
  const { form, submit, field, error } = useServerForm({
    schema: vChangePassword,
    criteriaMode: "all", // or the resolver skips the check of the repeated password
    defaultValues: emptyForm,
    call: changePassword,
    send: (body) => changePassword.mutateAsync({ body }),
    onSent: () => form.reset(emptyForm),
  })

  return (
    <Form
      submit={submit}
      label={t("accounts.change.title")}
      className="flex max-w-md flex-col gap-5"
    >
      <CurrentPasswordField {...field("currentPassword", errorText)} />
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
      {changePassword.isSuccess && !form.formState.isDirty && (
        <Alert tone="valid" live="status" title={t("accounts.change.done")}>
          {t("accounts.change.doneText")}
        </Alert>
      )}
      <Button type="submit" loading={changePassword.isPending} className="self-start">
        {t("accounts.change.submit")}
      </Button>
    </Form>
  )
}
