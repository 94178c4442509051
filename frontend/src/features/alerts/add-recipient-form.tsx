import { useId } from "react"
import { useTranslation } from "react-i18next"
import * as v from "valibot"
import { useLanguage } from "~/hooks/use-language"
import { vTyped } from "~/lib/letters"
import { Button } from "~/ui/button"
import { useUnsavedGuard } from "~/ui/dialog-guard"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Select } from "~/ui/select"
import { Form, useServerForm } from "~/ui/server-form"
import { GroupChoice, noticeGroups } from "./group-choice"
import { useAddRecipient } from "./use-alert-recipients"

const vRecipient = v.object({
  name: v.pipe(vTyped, v.nonEmpty()),
  email: v.pipe(vTyped, v.email()),
  language: v.picklist(["pl", "en"]),
  groups: v.array(v.picklist(noticeGroups)),
})

/** Invites a person without an account. */
export function AddRecipientForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const add = useAddRecipient()
  const { form, submit, field, error } = useServerForm({
    schema: vRecipient,
    defaultValues: { name: "", email: "", language, groups: [...noticeGroups] },
    call: add,
    send: (body) => add.mutateAsync({ body }, { onSuccess: onDone }), // not once it is closed
    draft: "alert-recipient",
  })
  useUnsavedGuard(form.formState.isDirty)
  const languageId = useId()

  return (
    <Form submit={submit} label={t("notifications.recipients.form.title")}>
      <Field
        label={t("notifications.recipients.form.name")}
        hint={t("notifications.recipients.form.nameHint")}
        autoComplete="off"
        maxLength={80}
        {...field("name", t("notifications.recipients.form.nameMissing"))}
      />
      <Field
        label={t("notifications.recipients.form.email")}
        type="email"
        autoComplete="off"
        {...field("email", t("accounts.email.invalid"))}
      />
      <div>
        <p aria-hidden className="mb-1.5 font-semibold">
          {t("notifications.recipients.columns.groups")}
        </p>
        <GroupChoice
          name={t("notifications.recipients.form.title")}
          groups={form.watch("groups")}
          onChange={(chosen) => form.setValue("groups", chosen, { shouldDirty: true })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <label htmlFor={languageId} className="font-semibold">
          {t("notifications.recipients.form.language")}
        </label>
        <Select id={languageId} {...form.register("language")}>
          <option value="pl">{t("notifications.recipients.form.polish")}</option>
          <option value="en">{t("notifications.recipients.form.english")}</option>
        </Select>
      </div>
      <ErrorAlert title={t("notifications.recipients.form.failed")} error={error} />
      <Button type="submit" loading={add.isPending}>
        {t("notifications.recipients.form.submit")}
      </Button>
    </Form>
  )
}
