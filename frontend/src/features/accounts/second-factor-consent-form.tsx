import { valibotResolver } from "@hookform/resolvers/valibot"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { useUser } from "~/hooks/use-user"
import { fieldErrors } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { PasswordField } from "~/ui/password-field"
import { SecondFactorCodeField } from "./second-factor-code-field"
import { type ConsentFields, vConsent } from "./second-factor-schemas"

type SecondFactorConsentFormProps = {
  lead: string
  submitLabel: string
  failedTitle: string
  danger?: boolean
  loading: boolean
  error: unknown
  onSubmit: (fields: ConsentFields) => void
}

/** The consent that a change of two-step verification takes: the password, and a code. */
export function SecondFactorConsentForm(props: SecondFactorConsentFormProps) {
  const { t } = useTranslation()
  const { email } = useUser()
  const form = useForm<ConsentFields>({
    resolver: valibotResolver(vConsent),
    defaultValues: { password: "", code: "" },
  })
  const { errors } = form.formState
  const serverErrors = fieldErrors(props.error)

  return (
    <form onSubmit={form.handleSubmit(props.onSubmit)} noValidate className="flex flex-col gap-5">
      <p className="text-sm text-ink-soft">{props.lead}</p>
      {/* tells password managers whose password it is */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t("accounts.change.current")}
        autoComplete="current-password"
        error={errors.password ? t("accounts.login.passwordRequired") : serverErrors.password}
        {...form.register("password")}
      />
      <SecondFactorCodeField
        isMissing={Boolean(errors.code)}
        serverError={serverErrors.code}
        {...form.register("code")}
      />
      {!serverErrors.password && !serverErrors.code && (
        <ErrorAlert title={props.failedTitle} error={props.error} />
      )}
      <Button type="submit" variant={props.danger ? "danger" : "primary"} loading={props.loading}>
        {props.submitLabel}
      </Button>
    </form>
  )
}
