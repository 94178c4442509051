import { valibotResolver } from "@hookform/resolvers/valibot"
import { useEffect, useState } from "react"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { fieldProblems } from "~/shared/problem"
import { Refusal } from "~/shared/refusal"
import { useLanguage } from "~/shared/use-language"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"
import { ProblemAlert } from "~/ui/problem-alert"
import { showToast } from "~/ui/toasts"
import { type PhoneFields, vPhone } from "./phone-number"
import { useSendCode } from "./use-phone"
import { useSecondsLeft, type Wait, waitFrom, waitText } from "./waiting"

type PhoneFormProps = {
  /** A number that was never verified, to begin with. */
  known: string | null
  focused: boolean
  /** Another code has gone out a moment ago. */
  pause: Wait | undefined
  /** For who left the page before the SMS came. */
  onHaveCode: (known: string) => void
  /** There is a verified number to go back to. */
  onCancel?: () => void
}

/** The number, and the button that sends a code to it. */
export function PhoneForm({ known, focused, pause, onHaveCode, onCancel }: PhoneFormProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const send = useSendCode()
  // A number that has had its share of codes waits; another one need not.
  const [refusedNumber, setRefusedNumber] = useState<{ typed: string; wait: Wait }>()
  const form = useForm<PhoneFields>({
    resolver: valibotResolver(vPhone(language)),
    defaultValues: { phoneNumber: known ?? "" },
  })
  const typed = useWatch({ control: form.control, name: "phoneNumber" })
  const left = Math.max(
    useSecondsLeft(refusedNumber?.typed === typed ? refusedNumber.wait : undefined),
    useSecondsLeft(pause),
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: where the focus begins
  useEffect(() => {
    if (focused) form.setFocus("phoneNumber")
  }, [])

  const submit = form.handleSubmit((body) =>
    send.mutate(
      { body },
      {
        onSuccess: () =>
          showToast({ title: t("common.success"), description: t("notifications.phone.sent") }),
        onError: (error) => {
          if (error instanceof Refusal && error.status === 429 && error.retryAfter) {
            setRefusedNumber({
              typed: form.getValues("phoneNumber"),
              wait: waitFrom(error.retryAfter),
            })
          }
          showToast({
            tone: "error",
            title: t("common.error"),
            description: t("notifications.phone.sendFailed"),
          })
          if (fieldProblems(error).phoneNumber) form.setFocus("phoneNumber")
        },
      },
    ),
  )

  const refused = fieldProblems(send.error).phoneNumber
  const error = form.formState.errors.phoneNumber
    ? t(typed.trim() ? "notifications.phone.number.format" : "notifications.phone.number.missing")
    : refused

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
      />
      {send.error && !refused && (
        <ProblemAlert title={t("notifications.phone.sendFailed")} error={send.error} />
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={send.isPending} disabled={left > 0} className="flex-1">
          {left > 0
            ? t("notifications.phone.waiting", { time: waitText(t, left) })
            : t("notifications.phone.send")}
        </Button>
        {onCancel && (
          <Button variant="secondary" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        )}
      </div>
      {known && (
        <Button variant="ghost" size="sm" onClick={() => onHaveCode(known)}>
          {t("notifications.phone.haveCode")}
        </Button>
      )}
    </form>
  )
}
