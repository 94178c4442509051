import { valibotResolver } from "@hookform/resolvers/valibot"
import { useEffect, useState } from "react"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { ApiError } from "~/lib/api-error"
import { fieldErrors } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { type Countdown, formatCountdown, startCountdown, useSecondsLeft } from "./countdown"
import { formatPhone, type SmsCodeFields, vSmsCode } from "./phone-number"
import {
  type SentCode,
  useSendCode,
  useVerifyPhone,
  verificationErrorMessage,
} from "./use-phone-verification"

type CodeFormProps = { sentCode: SentCode; onChangeNumber: () => void; onVerified: () => void }

/**
 * The form for the code from the SMS. The number is fixed; another code can be sent after a wait.
 */
export function CodeForm({ sentCode, onChangeNumber, onVerified }: CodeFormProps) {
  const { t } = useTranslation()
  const verify = useVerifyPhone()
  const form = useForm<SmsCodeFields>({
    resolver: valibotResolver(vSmsCode),
    defaultValues: { code: "" },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on mount
  useEffect(() => form.setFocus("code"), [])

  const submit = form.handleSubmit((body) =>
    verify.mutateAsync({ body }).then(onVerified, () => form.setFocus("code")),
  )

  const codeError = fieldErrors(verify.error).code
  const error = form.formState.errors.code
    ? t(
        form.getValues("code").trim()
          ? "notifications.phone.code.format"
          : "notifications.phone.code.missing",
      )
    : codeError

  return (
    <form
      onSubmit={submit}
      aria-label={t("notifications.phone.title")}
      noValidate
      className="flex flex-col gap-4"
    >
      <Field
        label={t("notifications.phone.number.label")}
        type="tel"
        value={formatPhone(sentCode.phoneNumber)}
        className="figures"
        disabled
      />
      <Field
        label={t("notifications.phone.code.label")}
        hint={t("notifications.phone.code.hint")}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        className="serial text-center text-xl!"
        error={error}
        {...form.register("code")}
        onPaste={(event) => {
          event.preventDefault()
          const pasted = event.clipboardData.getData("text").replace(/\s/g, "").slice(0, 6)
          form.setValue("code", pasted, { shouldDirty: true })
        }}
      />
      {!codeError && (
        <ErrorAlert title={verificationErrorMessage(t, verify.error)} error={verify.error} />
      )}
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
    </form>
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
