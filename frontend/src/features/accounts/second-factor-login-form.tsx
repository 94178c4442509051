import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation } from "@tanstack/react-query"
import { useEffect } from "react"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { loginSecondFactorMutation } from "~/api/@tanstack/react-query.gen"
import { fieldErrors, isUnauthenticated } from "~/lib/error-messages"
import { clearSession } from "~/lib/session"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { linkStyles } from "./account-layout"
import { SecondFactorCodeField } from "./second-factor-code-field"
import { type CodeFields, vSecondFactorCode } from "./second-factor-schemas"
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
  const form = useForm<CodeFields>({
    resolver: valibotResolver(vSecondFactorCode),
    defaultValues: { code: "" },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on mount
  useEffect(() => form.setFocus("code"), [])

  const login = useMutation({
    ...loginSecondFactorMutation(),
    onSuccess: async () => {
      clearSession()
      await openNext(next)
    },
    onError: (error) => {
      if (isUnauthenticated(error)) onExpired()
      else form.setFocus("code")
    },
  })
  const submit = form.handleSubmit((body) => login.mutate({ body }))
  const codeError = fieldErrors(login.error).code

  return (
    <form
      onSubmit={submit}
      aria-label={t("accounts.secondFactor.login.title")}
      noValidate
      className="flex flex-col gap-5"
    >
      <SecondFactorCodeField
        isMissing={Boolean(form.formState.errors.code)}
        serverError={codeError}
        {...form.register("code")}
      />
      {!codeError && (
        <ErrorAlert title={t("accounts.secondFactor.login.failed")} error={login.error} />
      )}
      <Button type="submit" loading={login.isPending}>
        {t("accounts.secondFactor.login.submit")}
      </Button>
      <p className="text-sm">
        <button type="button" className={linkStyles} onClick={onBack}>
          {t("accounts.secondFactor.login.back")}
        </button>
      </p>
    </form>
  )
}
