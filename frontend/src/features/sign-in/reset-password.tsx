import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { resetPasswordMutation } from "~/api/@tanstack/react-query.gen"
import { checkResetLink, logout } from "~/api/sdk.gen"
import { vResetPassword } from "~/entities/user/credentials"
import { NewPasswordFields, usePasswordErrorMessage } from "~/entities/user/new-password-fields"
import { useLinkToken } from "~/hooks/use-link-token"
import { useOptionalUser } from "~/hooks/use-user"
import { errorMessage, isApiError } from "~/lib/error-messages"
import { clearSession } from "~/lib/session"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ButtonLink } from "~/ui/button-link"
import { ErrorAlert } from "~/ui/error-alert"
import { Form, useServerForm } from "~/ui/server-form"
import { Spinner } from "~/ui/spinner"
import { AccountLayout } from "./account-layout"

/**
 * The target of the link in the mail. Open to signed-in users, too: the link may be opened
 * anywhere.
 */
export default function ResetPassword() {
  const token = useLinkToken()
  return <PasswordReset key={token} token={token} />
}

function PasswordReset({ token }: { token: string }) {
  const { t } = useTranslation()
  const user = useOptionalUser()
  const link = useResetLink(token)
  const [outcome, setOutcome] = useState<"done" | "expired">()
  const stage = outcome ?? link

  // The login is for visitors only, so a session of this browser ends here.
  const completeReset = async () => {
    if (user) await logout()
    clearSession()
    setOutcome("done")
  }

  return (
    <AccountLayout
      title={t("accounts.reset.title")}
      intro={stage === "usable" ? t("accounts.reset.lead") : undefined}
    >
      {stage === "checking" && <Spinner label={t("accounts.reset.checking")} />}
      {stage === "usable" && (
        <ResetPasswordForm
          token={token}
          onDone={() => void completeReset()}
          onExpired={() => setOutcome("expired")}
        />
      )}
      {stage === "expired" && (
        <>
          <Alert tone="caution" live="alert" title={t("accounts.reset.expired")}>
            {t("accounts.reset.expiredText")}
          </Alert>
          <ButtonLink to="/auth/forgot-password">{t("accounts.reset.request")}</ButtonLink>
        </>
      )}
      {stage === "done" && (
        <>
          <Alert tone="valid" live="status" title={t("accounts.reset.done")}>
            {t("accounts.reset.doneText")}
          </Alert>
          <ButtonLink to="/auth/login">{t("accounts.login.submit")}</ButtonLink>
        </>
      )}
    </AccountLayout>
  )
}

type ResetPasswordFormProps = { token: string; onDone: () => void; onExpired: () => void }

function ResetPasswordForm({ token, onDone, onExpired }: ResetPasswordFormProps) {
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

/** Milliseconds until the form is shown without an answer. */
const timeLimit = 5_000

/**
 * The state of a reset link, asked of the server before a password is typed. Only the server's own
 * refusal makes a link expired: without an answer the link may be good, and the reset itself decides.
 */
function useResetLink(token: string): "checking" | "usable" | "expired" {
  const check = useQuery({
    queryKey: ["reset-link", token], // in memory alone, and dropped with the page
    queryFn: async () => {
      const signal = AbortSignal.timeout(timeLimit)
      const { data } = await checkResetLink({ body: { token }, signal, throwOnError: true })
      return data
    },
    enabled: token !== "",
    gcTime: 0,
  })
  if (token === "" || isApiError(check.error, "invalid_reset_link")) return "expired"
  return check.isPending ? "checking" : "usable"
}
