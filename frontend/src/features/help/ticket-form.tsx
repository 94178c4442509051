import type { UseFormReturn } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { fieldProblems } from "~/shared/problem"
import { useUser } from "~/shared/session"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"
import { ProblemAlert } from "~/ui/problem-alert"
import { TextAreaField } from "~/ui/text-area-field"
import { showToast } from "~/ui/toasts"
import type { TicketFields } from "./ticket"
import type { useSendTicket } from "./use-ticket"

const fields = ["subject", "message"] as const
const subjectLength = 200
const messageLength = 5000

type TicketFormProps = {
  form: UseFormReturn<TicketFields>
  send: ReturnType<typeof useSendTicket>
}

/** 'Kontakt'. Form and call belong to the dialog: a draft outlives the tab and the window. */
export function TicketForm({ form, send }: TicketFormProps) {
  const { t } = useTranslation()
  const { email, companyName } = useUser()
  const { errors } = form.formState
  const refused = fieldProblems(send.error)

  const submit = form.handleSubmit((ticket) =>
    send.mutate(
      { body: { ...ticket, userInfo: { email, companyName } } },
      {
        onSuccess: () => {
          form.reset()
          showToast({ title: t("common.success"), description: t("help.contact.sent") })
        },
        onError: (error) => {
          showToast({
            tone: "error",
            title: t("common.error"),
            description: t("help.contact.failed"),
          })
          const field = fields.find((one) => fieldProblems(error)[one])
          if (field) form.setFocus(field)
        },
      },
    ),
  )

  return (
    <form
      onSubmit={submit}
      aria-label={t("help.contact.title")}
      noValidate
      className="flex flex-col gap-5"
    >
      <p className="text-sm text-ink-soft">{t("help.contact.lead", { email })}</p>
      <Field
        label={t("help.contact.subject.label")}
        autoComplete="off"
        maxLength={subjectLength}
        error={errors.subject ? t("help.contact.subject.required") : refused.subject}
        {...form.register("subject")}
      />
      <TextAreaField
        label={t("help.contact.message.label")}
        maxLength={messageLength}
        error={errors.message ? t("help.contact.message.tooShort") : refused.message}
        {...form.register("message")}
      />
      {/* For programs that fill in every field they find: nobody else meets it. */}
      <div aria-hidden className="absolute -left-[200vw] h-px w-px overflow-hidden">
        <input type="text" tabIndex={-1} autoComplete="off" {...form.register("website")} />
      </div>
      {send.error && !fields.some((field) => refused[field]) && (
        <ProblemAlert title={t("help.contact.failed")} error={send.error} complete />
      )}
      {send.isSuccess && (
        <Alert tone="valid" live="status" title={t("help.contact.sent")}>
          {t("help.contact.sentText", { email })}
        </Alert>
      )}
      <Button type="submit" loading={send.isPending} className="self-start">
        {t("help.contact.send")}
      </Button>
    </form>
  )
}
