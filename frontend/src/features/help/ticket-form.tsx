import type { UseFormReturn } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { useUser } from "~/hooks/use-user"
import { fieldErrors } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { TextAreaField } from "~/ui/text-area-field"
import type { TicketFields } from "./ticket-schema"
import type { useSendTicket } from "./use-ticket"

const visibleFields = ["subject", "message"] as const
const maxSubjectLength = 200
const maxMessageLength = 5000

type TicketFormProps = {
  form: UseFormReturn<TicketFields>
  sendTicket: ReturnType<typeof useSendTicket>
}

/** 'Kontakt'. Form and mutation belong to the dialog: a draft outlives the tab and the dialog. */
export function TicketForm({ form, sendTicket }: TicketFormProps) {
  const { t } = useTranslation()
  const { email, companyName } = useUser()
  const { errors } = form.formState
  const serverErrors = fieldErrors(sendTicket.error)

  const submit = form.handleSubmit((ticket) =>
    sendTicket.mutate(
      { body: { ...ticket, userInfo: { email, companyName } } },
      {
        onSuccess: () => {
          form.reset()
        },
        onError: (error) => {
          const firstInvalid = visibleFields.find((one) => fieldErrors(error)[one])
          if (firstInvalid) form.setFocus(firstInvalid)
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
        maxLength={maxSubjectLength}
        error={errors.subject ? t("help.contact.subject.required") : serverErrors.subject}
        {...form.register("subject")}
      />
      <TextAreaField
        label={t("help.contact.message.label")}
        maxLength={maxMessageLength}
        error={errors.message ? t("help.contact.message.tooShort") : serverErrors.message}
        {...form.register("message")}
      />
      {/* A honeypot for bots, which fill in every field. */}
      <div aria-hidden className="absolute -left-[200vw] h-px w-px overflow-hidden">
        <input type="text" tabIndex={-1} autoComplete="off" {...form.register("website")} />
      </div>
      {!visibleFields.some((field) => serverErrors[field]) && (
        <ErrorAlert
          title={t("help.contact.failed")}
          error={sendTicket.error}
          fallback={t("help.contact.failed")}
        />
      )}
      {sendTicket.isSuccess && (
        <Alert tone="valid" live="status" title={t("help.contact.sent")}>
          {t("help.contact.sentText", { email })}
        </Alert>
      )}
      <Button type="submit" loading={sendTicket.isPending} className="self-start">
        {t("help.contact.send")}
      </Button>
    </form>
  )
}
