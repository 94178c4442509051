import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import * as v from "valibot"
import { sendTicketMutation } from "~/api/@tanstack/react-query.gen"
import { useUser } from "~/hooks/use-user"
import { vTyped } from "~/lib/letters"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field, TextAreaField } from "~/ui/field"
import { Form, type useServerForm } from "~/ui/server-form"

/** A message to support (docs/rules.md). */
export const vTicketForm = v.object({
  subject: v.pipe(vTyped, v.minLength(1)),
  message: v.pipe(v.string(), v.trim(), v.minLength(10)),
  website: v.string(),
})

type TicketFields = v.InferOutput<typeof vTicketForm>

const maxSubjectLength = 200
const maxMessageLength = 5000

type TicketFormProps = {
  ticket: ReturnType<typeof useServerForm<TicketFields>>
  sendTicket: ReturnType<typeof useSendTicket>
}

/** 'Kontakt'. Form and mutation belong to the dialog: a draft outlives the tab and the dialog. */
export function TicketForm({ ticket, sendTicket }: TicketFormProps) {
  const { t } = useTranslation()
  const { email } = useUser()
  const { form, submit, field, error } = ticket

  return (
    <Form submit={submit} label={t("help.contact.title")}>
      <p className="text-sm text-ink-soft">{t("help.contact.lead", { email })}</p>
      <Field
        label={t("help.contact.subject.label")}
        autoComplete="off"
        maxLength={maxSubjectLength}
        {...field("subject", t("help.contact.subject.required"))}
      />
      <TextAreaField
        label={t("help.contact.message.label")}
        maxLength={maxMessageLength}
        {...field("message", t("help.contact.message.tooShort"))}
      />
      {/* Robots fill it in; the ticket is then marked as probable spam. */}
      <div aria-hidden className="absolute -left-[200vw] h-px w-px overflow-hidden">
        <input type="text" tabIndex={-1} autoComplete="off" {...form.register("website")} />
      </div>
      <ErrorAlert
        title={t("help.contact.failed")}
        error={error}
        fallback={t("help.contact.failed")}
      />
      {sendTicket.isSuccess && (
        <Alert tone="valid" live="status" title={t("help.contact.sent")}>
          {t("help.contact.sentText", { email })}
        </Alert>
      )}
      <Button type="submit" loading={sendTicket.isPending} className="self-start">
        {t("help.contact.send")}
      </Button>
    </Form>
  )
}

export function useSendTicket() {
  const { t } = useTranslation()
  return useMutation({
    ...sendTicketMutation(),
    meta: { done: t("help.contact.sent"), failed: () => t("help.contact.failed") },
  })
}
