import { useRef } from "react"
import { useTranslation } from "react-i18next"
import * as v from "valibot"
import { vAcknowledgementIn } from "~/api/valibot.gen"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Form, useServerForm } from "~/ui/server-form"
import { useAcknowledge } from "./use-acknowledgement"

const maxNoteLength = 200
const vNote = v.object({
  note: v.pipe(v.string(), v.trim(), vAcknowledgementIn.entries.note),
})

type AcknowledgementFormProps = {
  driverId: string
  name: string
  /** The begin of the episode that is shown: the server refuses if it is another one by now. */
  since: string
  onDone: () => void
  onCancel: () => void
}

/** Asks for the one line that is kept with who took the driver off the road, and when. */
export function AcknowledgementForm({
  driverId,
  name,
  since,
  onDone,
  onCancel,
}: AcknowledgementFormProps) {
  const { t } = useTranslation()
  const acknowledge = useAcknowledge(name)
  const isCancelled = useRef(false)
  const { submit, field, error } = useServerForm({
    schema: vNote,
    defaultValues: { note: "" },
    call: acknowledge,
    send: ({ note }) =>
      acknowledge.mutateAsync({ path: { driver_id: driverId }, body: { since, note } }),
    // Not after a cancellation, when the user may be typing elsewhere.
    onSent: () => isCancelled.current || onDone(),
    autoFocus: true,
    refocus: true,
  })

  const cancel = () => {
    isCancelled.current = true
    onCancel()
  }

  return (
    <Form
      submit={submit}
      label={t("dashboard.queue.acknowledgeOf", { name })}
      className="flex w-full flex-col gap-3"
    >
      <Field
        label={t("dashboard.queue.note")}
        hint={t("dashboard.queue.noteHint")}
        autoComplete="off"
        maxLength={maxNoteLength}
        {...field("note", t("dashboard.queue.noteRequired"))}
      />
      <ErrorAlert title={t("dashboard.queue.saveFailed")} error={error} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" loading={acknowledge.isPending}>
          {t("dashboard.queue.save")}
        </Button>
        <Button variant="ghost" size="sm" onClick={cancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </Form>
  )
}
