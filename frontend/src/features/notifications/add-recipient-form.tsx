import { valibotResolver } from "@hookform/resolvers/valibot"
import { useId } from "react"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import * as v from "valibot"
import { useFormDraft } from "~/hooks/use-draft"
import { useLanguage } from "~/hooks/use-language"
import { fieldErrors } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { useUnsavedGuard } from "~/ui/dialog-guard"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Select } from "~/ui/select"
import { GroupChoice, noticeGroups } from "./group-choice"
import { useAddRecipient } from "./use-alert-recipients"

const vRecipient = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80)),
  email: v.pipe(v.string(), v.trim(), v.email()),
  language: v.picklist(["pl", "en"]),
  groups: v.array(v.picklist(noticeGroups)),
})
type RecipientFields = v.InferOutput<typeof vRecipient>

const fields = ["name", "email"] as const

/** Invites a person without an account. */
export function AddRecipientForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const add = useAddRecipient()
  const form = useForm<RecipientFields>({
    resolver: valibotResolver(vRecipient),
    defaultValues: { name: "", email: "", language, groups: [...noticeGroups] },
  })
  useFormDraft("alert-recipient", form)
  const { errors, isDirty } = form.formState
  useUnsavedGuard(isDirty)
  const groups = useWatch({ control: form.control, name: "groups" })
  const languageId = useId()
  const serverErrors = fieldErrors(add.error)

  const submit = form.handleSubmit((body) =>
    add.mutate(
      { body },
      {
        onSuccess: onDone,
        onError: (error) => {
          const invalid = fields.find((field) => fieldErrors(error)[field])
          if (invalid) form.setFocus(invalid)
        },
      },
    ),
  )

  return (
    <form
      onSubmit={submit}
      aria-label={t("notifications.recipients.form.title")}
      noValidate
      className="flex flex-col gap-5"
    >
      <Field
        label={t("notifications.recipients.form.name")}
        hint={t("notifications.recipients.form.nameHint")}
        autoComplete="off"
        maxLength={80}
        error={errors.name ? t("notifications.recipients.form.nameMissing") : serverErrors.name}
        {...form.register("name")}
      />
      <Field
        label={t("notifications.recipients.form.email")}
        type="email"
        autoComplete="off"
        error={errors.email ? t("accounts.email.invalid") : serverErrors.email}
        {...form.register("email")}
      />
      <div>
        <p aria-hidden className="mb-1.5 font-semibold">
          {t("notifications.recipients.columns.groups")}
        </p>
        <GroupChoice
          name={t("notifications.recipients.form.title")}
          groups={groups}
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
      {!fields.some((field) => serverErrors[field]) && (
        <ErrorAlert title={t("notifications.recipients.form.failed")} error={add.error} />
      )}
      <Button type="submit" loading={add.isPending}>
        {t("notifications.recipients.form.submit")}
      </Button>
    </form>
  )
}
