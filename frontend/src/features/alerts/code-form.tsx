import { useState } from "react"
import { useTranslation } from "react-i18next"
import { ApiError } from "~/lib/api-error"
import { Button } from "~/ui/button"
import { CheckboxField } from "~/ui/checkbox-field"
import { CodeField } from "~/ui/code-field"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Form, useServerForm } from "~/ui/server-form"
import { type Countdown, formatCountdown, startCountdown, useSecondsLeft } from "./countdown"
import { formatPhone, vSmsCode } from "./phone-number"
import { settingsFailed } from "./unsaved-choices"
import { useFreshUser, useSaveChannels } from "./use-notification-settings"
import {
  type SentCode,
  useSendCode,
  useVerifyPhone,
  verificationErrorMessage,
} from "./use-phone-verification"

type CodeFormProps = {
  sentCode: SentCode
  onChangeNumber: () => void
  /** `smsOn`: the SMS were switched on with the code. */
  onVerified: (smsOn: boolean) => void
}

/**
 * The form for the code from the SMS. The number is fixed; another code can be sent after a wait.
 */
export function CodeForm({ sentCode, onChangeNumber, onVerified }: CodeFormProps) {
  const { t } = useTranslation()
  const verify = useVerifyPhone()
  const saveChannels = useSaveChannels(settingsFailed(t))
  const { smsNotificationsEnabled } = useFreshUser()
  const [wantsSms, setWantsSms] = useState(true)
  const isOffered = !smsNotificationsEnabled
  const switchSmsOn = () => {
    if (isOffered && wantsSms) saveChannels.mutate({ body: { smsEnabled: true } })
  }
  const { form, submit, field, error } = useServerForm({
    schema: vSmsCode,
    defaultValues: { code: "" },
    call: verify,
    send: (body) => verify.mutateAsync({ body }).then(switchSmsOn),
    onSent: () => onVerified(isOffered && wantsSms),
    autoFocus: true,
    refocus: true,
  })
  const isMissing = form.getValues("code").trim() === ""

  return (
    <Form submit={submit} label={t("notifications.phone.title")} className="flex flex-col gap-4">
      <Field
        label={t("notifications.phone.number.label")}
        type="tel"
        value={formatPhone(sentCode.phoneNumber)}
        className="figures"
        disabled
      />
      <CodeField
        label={t("notifications.phone.code.label")}
        hint={t("notifications.phone.code.hint")}
        inputMode="numeric"
        maxLength={6}
        isComplete={(code) => code.length === 6}
        {...field(
          "code",
          t(isMissing ? "notifications.phone.code.missing" : "notifications.phone.code.format"),
        )}
      />
      {isOffered && (
        <CheckboxField
          label={t("notifications.phone.enableSms")}
          checked={wantsSms}
          onChange={({ target }) => setWantsSms(target.checked)}
        />
      )}
      <ErrorAlert title={verificationErrorMessage(t, error)} error={error} />
      <Button type="submit" loading={verify.isPending}>
        {t("notifications.phone.verify")}
      </Button>
      <ResendButton
        sentCode={sentCode}
        onSend={() => {
          verify.reset()
          form.reset()
          form.setFocus("code")
        }}
      />
      <Button variant="ghost" size="sm" onClick={onChangeNumber}>
        {t("notifications.phone.other")}
      </Button>
    </Form>
  )
}

type ResendButtonProps = { sentCode: SentCode; onSend: () => void }

function ResendButton({ sentCode, onSend }: ResendButtonProps) {
  const { t } = useTranslation()
  const send = useSendCode()
  const [serverWait, setServerWait] = useState<Countdown>()
  const secondsLeft = Math.max(useSecondsLeft(sentCode.resendCountdown), useSecondsLeft(serverWait))

  const resend = () => {
    onSend()
    send.mutate(
      { body: { phoneNumber: sentCode.phoneNumber } },
      {
        onError: (error) => {
          if (error instanceof ApiError && error.retryAfter)
            setServerWait(startCountdown(error.retryAfter))
        },
      },
    )
  }

  return (
    <>
      <ErrorAlert title={t("notifications.phone.sendFailed")} error={send.error} />
      <Button
        variant="secondary"
        disabled={secondsLeft > 0}
        loading={send.isPending}
        onClick={resend}
        className="figures"
      >
        {secondsLeft > 0
          ? t("notifications.phone.waiting", { time: formatCountdown(t, secondsLeft) })
          : t("notifications.phone.again")}
      </Button>
    </>
  )
}
