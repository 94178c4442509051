import { useTranslation } from "react-i18next"
import {
  type ConsentFields,
  SecondFactorCodeField,
  vConsent,
} from "~/entities/user/second-factor-code"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Form, useServerForm } from "~/ui/server-form"
import { CurrentPasswordField } from "./current-password-field"

type ConsentFormProps = {
  /** Whether the account has a second factor. */
  takesCode: boolean
  lead: string
  submitLabel: string
  failedTitle: string
  danger?: boolean
  call: { error: unknown; isPending: boolean }
  send: (fields: ConsentFields) => Promise<unknown>
}

/** The consent that a change of two-step verification takes: the password, and a code if there is one. */
export function ConsentForm(props: ConsentFormProps) {
  const { t } = useTranslation()
  const { submit, field, error } = useServerForm({
    schema: vConsent(props.takesCode),
    defaultValues: { password: "", code: "" },
    call: props.call,
    send: props.send,
  })

  return (
    <Form submit={submit}>
      <p className="text-sm text-ink-soft">{props.lead}</p>
      <CurrentPasswordField {...field("password", t("accounts.login.passwordRequired"))} />
      {props.takesCode && (
        <SecondFactorCodeField
          {...field("code", t("accounts.secondFactor.consent.codeRequired"))}
        />
      )}
      <ErrorAlert title={props.failedTitle} error={error} />
      <Button
        type="submit"
        variant={props.danger ? "danger" : "primary"}
        loading={props.call.isPending}
      >
        {props.submitLabel}
      </Button>
    </Form>
  )
}
