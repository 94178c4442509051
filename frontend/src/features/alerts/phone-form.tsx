import { useState } from "react"
import { useTranslation } from "react-i18next"
import { ApiError } from "~/lib/api-error"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Form, useServerForm } from "~/ui/server-form"
import { type Countdown, formatCountdown, startCountdown, useSecondsLeft } from "./countdown"
import { cleanPhone, vPhone } from "./phone-number"
import { useSendCode } from "./use-phone-verification"

type PhoneFormProps = {
  /** The stored, unverified number: the initial value. */
  unverifiedNumber: string | null
  autoFocus: boolean
  /** The wait since the last code, for whichever number. */
  resendCountdown: Countdown | undefined
  /** The user returned to the page with a code that was sent before. */
  onHaveCode: (unverifiedNumber: string) => void
  /** Only given when there is a verified number to return to. */
  onCancel?: () => void
}

/** The form for the phone number that sends the code. */
export function PhoneForm({
  unverifiedNumber,
  autoFocus,
  resendCountdown,
  onHaveCode,
  onCancel,
}: PhoneFormProps) {
  const { t } = useTranslation()
  const sendCode = useSendCode()
  // The server throttles by number: another number may be tried at once.
  const [throttled, setThrottled] = useState<{ input: string; countdown: Countdown }>()
  const { form, submit, field, error } = useServerForm({
    schema: vPhone,
    defaultValues: { phoneNumber: unverifiedNumber ?? "" },
    call: sendCode,
    send: (body) => sendCode.mutateAsync({ body }, { onError: throttle }),
    draft: "phone",
    autoFocus,
  })
  const phoneInput = form.watch("phoneNumber")
  const secondsLeft = Math.max(
    useSecondsLeft(throttled?.input === phoneInput ? throttled.countdown : undefined),
    useSecondsLeft(resendCountdown),
  )
  function throttle(refused: unknown) {
    if (refused instanceof ApiError && refused.status === 429 && refused.retryAfter) {
      const countdown = startCountdown(refused.retryAfter)
      setThrottled({ input: form.getValues("phoneNumber"), countdown })
    }
  }

  return (
    <Form submit={submit} label={t("notifications.phone.title")} className="flex flex-col gap-4">
      <p className="text-sm text-ink-soft">
        {t(onCancel ? "notifications.phone.changeLead" : "notifications.phone.lead")}
      </p>
      <Field
        label={t("notifications.phone.number.label")}
        hint={t("notifications.phone.number.hint")}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder={t("notifications.phone.number.placeholder")}
        className="figures"
        {...field(
          "phoneNumber",
          t(
            phoneInput.trim()
              ? "notifications.phone.number.format"
              : "notifications.phone.number.missing",
          ),
        )}
        clean={cleanPhone}
      />
      <ErrorAlert title={t("notifications.phone.sendFailed")} error={error} />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          loading={sendCode.isPending}
          disabled={secondsLeft > 0}
          className="flex-1"
        >
          {secondsLeft > 0
            ? t("notifications.phone.waiting", { time: formatCountdown(t, secondsLeft) })
            : t("notifications.phone.send")}
        </Button>
        {onCancel && (
          <Button variant="secondary" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        )}
      </div>
      {unverifiedNumber && (
        <Button variant="ghost" size="sm" onClick={() => onHaveCode(unverifiedNumber)}>
          {t("notifications.phone.haveCode")}
        </Button>
      )}
    </Form>
  )
}
