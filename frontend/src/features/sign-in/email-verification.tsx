import { useMutation } from "@tanstack/react-query"
import { useEffect } from "react"
import { Trans, useTranslation } from "react-i18next"
import { useNavigate } from "react-router"
import * as v from "valibot"
import { sendEmailCodeMutation, verifyEmailMutation } from "~/api/@tanstack/react-query.gen"
import { useLogout } from "~/entities/user/use-logout"
import { stripSeparators } from "~/lib/letters"
import { clearSession } from "~/lib/session"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { CodeField } from "~/ui/code-field"
import { ErrorAlert } from "~/ui/error-alert"
import { Form, useServerForm } from "~/ui/server-form"
import { LinkButton } from "~/ui/text-link"
import { AccountLayout } from "./account-layout"

/** Milliseconds before the panel opens by itself. */
const redirectDelay = 1500

const vEmailCode = v.object({
  token: v.pipe(v.string(), v.transform(stripSeparators), v.length(6)),
})

export function EmailVerification({ email }: { email: string }) {
  const { t } = useTranslation()
  const logout = useLogout()
  const verify = useMutation(verifyEmailMutation())
  const resend = useMutation(sendEmailCodeMutation())
  const { form, submit, field } = useServerForm({
    schema: vEmailCode,
    defaultValues: { token: "" },
    call: verify,
    send: (body) => {
      resend.reset()
      return verify.mutateAsync({ body })
    },
    autoFocus: true,
  })

  const resendCode = () => {
    verify.reset()
    form.reset()
    resend.mutate({})
  }

  if (verify.isSuccess || resend.data?.emailVerified) return <EmailVerified />

  return (
    <AccountLayout
      linkHome={false}
      title={t("accounts.verify.title")}
      intro={
        <Trans
          t={t}
          i18nKey="accounts.verify.lead"
          values={{ email }}
          components={{ strong: <strong className="font-semibold wrap-anywhere text-ink" /> }}
        />
      }
    >
      <Form submit={submit} label={t("accounts.verify.title")}>
        <CodeField
          label={t("accounts.verify.code")}
          hint={t("accounts.verify.codeHint")}
          autoCapitalize="characters"
          maxLength={6}
          isComplete={(code) => code.length === 6}
          {...field("token", t("accounts.verify.failed"))}
        />
        <ErrorAlert error={verify.error} fallback={t("accounts.verify.failed")} />
        <ErrorAlert error={resend.error} fallback={t("accounts.verify.resendFailed")} />
        {resend.isSuccess && (
          <Alert tone="valid" live="status" title={t("accounts.verify.resent")}>
            {t("accounts.verify.resentText")}
          </Alert>
        )}
        <Button type="submit" loading={verify.isPending}>
          {t("accounts.verify.submit")}
        </Button>
      </Form>
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-3 text-sm">
        <LinkButton
          onClick={resendCode}
          aria-busy={resend.isPending || undefined}
          disabled={resend.isPending}
        >
          {t("accounts.verify.resend")}
        </LinkButton>
        <LinkButton onClick={() => logout.mutate()} disabled={logout.isPending}>
          {t("accounts.verify.back")}
        </LinkButton>
      </div>
    </AccountLayout>
  )
}

function EmailVerified() {
  const { t } = useTranslation()
  const navigate = useNavigate()

  const openPanel = () => {
    clearSession()
    void navigate("/panel")
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the timer starts once
  useEffect(() => {
    const timer = window.setTimeout(openPanel, redirectDelay)
    return () => window.clearTimeout(timer)
  }, [])

  return (
    <AccountLayout linkHome={false} title={t("accounts.verify.title")}>
      <Alert tone="valid" live="status" title={t("accounts.verify.done")}>
        {t("accounts.verify.doneText")}
      </Alert>
      <Button autoFocus onClick={openPanel}>
        {t("accounts.verify.toPanel")}
      </Button>
    </AccountLayout>
  )
}
