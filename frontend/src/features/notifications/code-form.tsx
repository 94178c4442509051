import { valibotResolver } from "@hookform/resolvers/valibot"
import type { TFunction } from "i18next"
import { useEffect, useState } from "react"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { fieldProblems, isRefusal } from "~/shared/problem"
import { Refusal } from "~/shared/refusal"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"
import { ProblemAlert } from "~/ui/problem-alert"
import { showToast } from "~/ui/toasts"
import { formatPhone, type SmsCodeFields, vSmsCode } from "./phone-number"
import { type SentCode, useSendCode, useVerifyPhone } from "./use-phone"
import { useSecondsLeft, type Wait, waitFrom, waitText } from "./waiting"

type CodeFormProps = { sent: SentCode; onOtherNumber: () => void; onVerified: () => void }

/** The number is locked now; its code can be typed, or sent once more after a while. */
export function CodeForm({ sent, onOtherNumber, onVerified }: CodeFormProps) {
  const { t } = useTranslation()
  const verify = useVerifyPhone()
  const form = useForm<SmsCodeFields>({
    resolver: valibotResolver(vSmsCode),
    defaultValues: { code: "" },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the field appears
  useEffect(() => form.setFocus("code"), [])

  const complain = (description: string) =>
    showToast({ tone: "error", title: t("common.error"), description })

  const submit = form.handleSubmit((body) =>
    verify.mutateAsync({ body }).then(
      () => {
        showToast({ title: t("common.success"), description: t("notifications.phone.done") })
        onVerified()
      },
      (error) => {
        complain(verifyProblem(t, error))
        form.setFocus("code")
      },
    ),
  )

  const refused = fieldProblems(verify.error).code
  const error = form.formState.errors.code
    ? t(
        form.getValues("code").trim()
          ? "notifications.phone.code.format"
          : "notifications.phone.code.missing",
      )
    : refused

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
        value={formatPhone(sent.phoneNumber)}
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
      {verify.error && !refused && (
        <ProblemAlert title={verifyProblem(t, verify.error)} error={verify.error} />
      )}
      <Button type="submit" loading={verify.isPending}>
        {t("notifications.phone.verify")}
      </Button>
      <Resend
        sent={sent}
        onSend={() => {
          verify.reset()
          form.reset()
          form.setFocus("code")
        }}
        onFailed={() => complain(t("notifications.phone.sendFailed"))}
      />
      <Button variant="ghost" size="sm" onClick={onOtherNumber}>
        {t("notifications.phone.other")}
      </Button>
    </form>
  )
}

/** A wrong code is named in English (spec, section 8); in Polish both have one sentence. */
function verifyProblem(t: TFunction, error: unknown): string {
  if (isRefusal(error, "invalid_phone_code")) return t("problems.invalid_phone_code")
  return t("notifications.phone.verifyFailed")
}

type ResendProps = { sent: SentCode; onSend: () => void; onFailed: () => void }

function Resend({ sent, onSend, onFailed }: ResendProps) {
  const { t } = useTranslation()
  const send = useSendCode()
  const [refused, setRefused] = useState<Wait>()
  const left = Math.max(useSecondsLeft(sent.resend), useSecondsLeft(refused))

  const again = () => {
    onSend()
    send.mutate(
      { body: { phoneNumber: sent.phoneNumber } },
      {
        onSuccess: () =>
          showToast({ title: t("common.success"), description: t("notifications.phone.sent") }),
        onError: (error) => {
          if (error instanceof Refusal && error.retryAfter) setRefused(waitFrom(error.retryAfter))
          onFailed()
        },
      },
    )
  }

  return (
    <>
      {send.error && (
        <ProblemAlert title={t("notifications.phone.sendFailed")} error={send.error} />
      )}
      <Button
        variant="secondary"
        disabled={left > 0}
        loading={send.isPending}
        onClick={again}
        className="figures"
      >
        {left > 0
          ? t("notifications.phone.waiting", { time: waitText(t, left) })
          : t("notifications.phone.again")}
      </Button>
    </>
  )
}
