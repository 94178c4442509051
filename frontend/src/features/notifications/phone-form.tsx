import { valibotResolver } from "@hookform/resolvers/valibot"
import { useEffect, useState } from "react"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { useFormDraft } from "~/hooks/use-draft"
import { ApiError } from "~/lib/api-error"
import { fieldErrors } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { cleanInput } from "~/ui/clean-input"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { type Countdown, formatCountdown, startCountdown, useSecondsLeft } from "./countdown"
import { cleanPhone, type PhoneFields, vPhone } from "./phone-number"
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
  const form = useForm<PhoneFields>({
    resolver: valibotResolver(vPhone),
    defaultValues: { phoneNumber: unverifiedNumber ?? "" },
  })
  useFormDraft("phone", form)
  const phoneInput = useWatch({ control: form.control, name: "phoneNumber" })
  const secondsLeft = Math.max(
    useSecondsLeft(throttled?.input === phoneInput ? throttled.countdown : undefined),
    useSecondsLeft(resendCountdown),
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on mount
  useEffect(() => {
    if (autoFocus) form.setFocus("phoneNumber")
  }, [])

  const submit = form.handleSubmit((body) =>
    sendCode.mutate(
      { body },
      {
        onError: (error) => {
          if (error instanceof ApiError && error.status === 429 && error.retryAfter) {
            setThrottled({
              input: form.getValues("phoneNumber"),
              countdown: startCountdown(error.retryAfter),
            })
          }
          if (fieldErrors(error).phoneNumber) form.setFocus("phoneNumber")
        },
      },
    ),
  )

  const numberError = fieldErrors(sendCode.error).phoneNumber
  const error = form.formState.errors.phoneNumber
    ? t(
        phoneInput.trim()
          ? "notifications.phone.number.format"
          : "notifications.phone.number.missing",
      )
    : numberError

  return (
    <form
      onSubmit={submit}
      aria-label={t("notifications.phone.title")}
      noValidate
      className="flex flex-col gap-4"
    >
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
        error={error}
        {...form.register("phoneNumber")}
        onInput={cleanInput(cleanPhone)}
      />
      {!numberError && (
        <ErrorAlert title={t("notifications.phone.sendFailed")} error={sendCode.error} />
      )}
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
    </form>
  )
}
