import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { useNavigate } from "react-router"
import * as v from "valibot"
import { eraseCompany } from "~/api/sdk.gen"
import { SecondFactorCodeField, vConsent } from "~/entities/user/second-factor-code"
import { changeSession, queryClient } from "~/lib/query-client"
import { clearSession, sessionQuery } from "~/lib/session"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { CheckboxField } from "~/ui/checkbox-field"
import { Dialog } from "~/ui/dialog"
import { ErrorAlert } from "~/ui/error-alert"
import { QueryState } from "~/ui/query-state"
import { Form, useServerForm } from "~/ui/server-form"
import { CurrentPasswordField } from "./current-password-field"
import { useSecondFactor } from "./use-second-factor"

/** Erases the company and its people for good, after the password and a clear warning. */
export function CompanyErasure() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-sm text-ink-soft">{t("accounts.erasure.text")}</p>
      <Button variant="danger" onClick={() => setOpen(true)}>
        {t("accounts.erasure.action")}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t("accounts.erasure.title")}>
        {open && <ErasureForm />}
      </Dialog>
    </div>
  )
}

function ErasureForm() {
  const { t } = useTranslation()
  const secondFactor = useSecondFactor()
  return (
    <QueryState
      query={secondFactor}
      loadingLabel={t("accounts.secondFactor.loading")}
      errorTitle={t("accounts.secondFactor.loadFailed")}
    >
      {({ enabled }) => <ErasureConsent takesCode={enabled} />}
    </QueryState>
  )
}

const vErasure = (takesCode: boolean) =>
  v.object({
    ...vConsent(takesCode).entries,
    understood: v.pipe(
      v.boolean(),
      v.check((isTicked) => isTicked),
    ),
  })

function ErasureConsent({ takesCode }: { takesCode: boolean }) {
  const { t } = useTranslation()
  const erase = useEraseCompany()
  const { submit, field, error } = useServerForm({
    schema: vErasure(takesCode),
    defaultValues: { password: "", code: "", understood: false },
    call: erase,
    send: ({ password, code }) => erase.mutateAsync({ password, code }),
  })
  const losses = t("accounts.erasure.losses", { returnObjects: true })

  return (
    <Form submit={submit}>
      <Alert tone="error" title={t("accounts.erasure.warning")}>
        <ul className="list-disc pl-5">
          {losses.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      </Alert>
      <p className="text-sm text-ink-soft">{t("accounts.erasure.kept")}</p>
      <CurrentPasswordField {...field("password", t("accounts.login.passwordRequired"))} />
      {takesCode && (
        <SecondFactorCodeField
          {...field("code", t("accounts.secondFactor.consent.codeRequired"))}
        />
      )}
      <CheckboxField
        label={t("accounts.erasure.understood")}
        {...field("understood", t("accounts.erasure.understoodRequired"))}
      />
      <ErrorAlert title={t("accounts.erasure.failed")} error={error} />
      <Button type="submit" variant="danger" loading={erase.isPending}>
        {t("accounts.erasure.confirm")}
      </Button>
    </Form>
  )
}

/** After the call there is no session: the login opens, and a toast says what happens next. */
function useEraseCompany() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: { password: string; code: string }) =>
      changeSession(() => eraseCompany({ body, throwOnError: true })),
    meta: { done: t("accounts.erasure.done") },
    onSuccess: async () => {
      queryClient.setQueryData(sessionQuery.queryKey, null)
      await navigate("/auth/login")
      clearSession()
    },
  })
}
