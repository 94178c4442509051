import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { loginSecondFactorMutation } from "~/api/@tanstack/react-query.gen"
import { SecondFactorCodeField } from "~/entities/user/second-factor-code-field"
import { vSecondFactorCode } from "~/entities/user/second-factor-schemas"
import { isUnauthenticated } from "~/lib/error-messages"
import { clearSession } from "~/lib/session"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Form, useServerForm } from "~/ui/server-form"
import { linkStyles } from "./account-layout"
import { useOpenNext } from "./use-open-next"

type SecondFactorLoginFormProps = {
  /** The path that opens after the sign-in. */
  next: string
  onBack: () => void
  /** The time for the code is over. */
  onExpired: () => void
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondFactorLoginForm({ next, onBack, onExpired }: SecondFactorLoginFormProps) {
  const { t } = useTranslation()
  const openNext = useOpenNext()
  const login = useMutation({
    ...loginSecondFactorMutation(),
    onSuccess: async () => {
      clearSession()
      await openNext(next)
    },
    onError: (error) => isUnauthenticated(error) && onExpired(),
  })
  const { submit, field, error } = useServerForm({
    schema: vSecondFactorCode,
    defaultValues: { code: "" },
    call: login,
    send: (body) => login.mutateAsync({ body }),
    autoFocus: true,
    refocus: true,
  })

  return (
    <Form submit={submit} label={t("accounts.secondFactor.login.title")}>
      <SecondFactorCodeField {...field("code", t("accounts.secondFactor.consent.codeRequired"))} />
      <ErrorAlert title={t("accounts.secondFactor.login.failed")} error={error} />
      <Button type="submit" loading={login.isPending}>
        {t("accounts.secondFactor.login.submit")}
      </Button>
      <p className="text-sm">
        <button type="button" className={linkStyles} onClick={onBack}>
          {t("accounts.secondFactor.login.back")}
        </button>
      </p>
    </Form>
  )
}
