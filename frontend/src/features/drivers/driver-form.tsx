import { valibotResolver } from "@hookform/resolvers/valibot"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { useFormDraft } from "~/hooks/use-draft"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"
import { showToast } from "~/ui/toasts"
import { driverErrorMessage, driverFieldErrors } from "./driver-errors"
import { type DriverFields, vDriverForm } from "./driver-schema"
import { upperCaseAscii, upperCaseInput } from "./licence-number"

/** What the form needs of a mutation, such as `useAddDriver` and `useUpdateDriver` return. */
type DriverMutation = {
  mutateAsync: (driver: DriverFields) => Promise<unknown>
  error: unknown
  isPending: boolean
}

type DriverFormProps = {
  /** The driver to edit; without one the form adds a new driver. */
  driver?: DriverSummaryOut
  mutation: DriverMutation
  onDone: () => void
}

const fields = ["firstName", "lastName", "licenseNumber"] as const

export function DriverForm({ driver, mutation, onDone }: DriverFormProps) {
  const { t } = useTranslation()
  const empty = { firstName: "", lastName: "", licenseNumber: "" }
  const form = useForm<DriverFields>({
    resolver: valibotResolver(vDriverForm),
    defaultValues: driver
      ? {
          firstName: driver.firstName,
          lastName: driver.lastName,
          licenseNumber: driver.licenseNumber,
        }
      : empty,
  })
  useFormDraft(`driver.${driver?.id ?? "new"}`, form)
  const { errors } = form.formState
  const failed = t(driver ? "drivers.form.updateFailed" : "drivers.form.failed")

  const onSaved = (data: DriverFields) => {
    showToast({
      title: t("common.success"),
      description: t(driver ? "drivers.form.updated" : "drivers.form.added"),
    })
    form.reset(driver ? data : empty)
    onDone()
  }
  const onFailed = (error: unknown) => {
    showToast({
      tone: "error",
      title: t("common.error"),
      description: driverErrorMessage(t, error, failed),
    })
    const firstInvalid = fields.find((field) => driverFieldErrors(t, error)[field])
    if (firstInvalid) form.setFocus(firstInvalid)
  }
  // On the promise, not as callbacks of `mutate`: those are skipped when the dialog closes early.
  const submit = form.handleSubmit((data) =>
    mutation.mutateAsync(data).then(() => onSaved(data), onFailed),
  )
  const serverErrors = driverFieldErrors(t, mutation.error)

  const nameError = (field: "firstName" | "lastName") =>
    errors[field] ? t(`drivers.form.${field}.required`) : serverErrors[field]

  const format = t("drivers.form.licenseNumber.format")
  const licenceError = () => {
    if (!errors.licenseNumber) return serverErrors.licenseNumber
    const value = form.getValues("licenseNumber").trim()
    return value === "" ? t("drivers.form.licenseNumber.required") : format
  }

  return (
    <form
      onSubmit={submit}
      aria-label={t(driver ? "drivers.form.editTitle" : "drivers.form.addTitle")}
      noValidate
      className="flex flex-col gap-5"
    >
      <Field
        label={t("drivers.form.firstName.label")}
        autoComplete="off"
        error={nameError("firstName")}
        {...form.register("firstName")}
      />
      <Field
        label={t("drivers.form.lastName.label")}
        autoComplete="off"
        error={nameError("lastName")}
        {...form.register("lastName")}
      />
      <Field
        label={t("drivers.form.licenseNumber.label")}
        hint={licenceError() === format ? undefined : format}
        placeholder="AA123456"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={8}
        className="serial"
        error={licenceError()}
        {...form.register("licenseNumber")}
        onInput={upperCaseInput}
        onPaste={(event) => {
          event.preventDefault()
          const pasted = event.clipboardData.getData("text").replace(/[\s-]/g, "").slice(0, 8)
          form.setValue("licenseNumber", upperCaseAscii(pasted), { shouldDirty: true })
        }}
      />
      {driver && <p className="text-sm text-ink-soft">{t("drivers.form.rechecked")}</p>}
      {mutation.error !== null && !fields.some((field) => serverErrors[field]) && (
        <Alert title={driverErrorMessage(t, mutation.error, failed)}>
          <ServerMessage
            error={mutation.error}
            shown={driverErrorMessage(t, mutation.error, failed)}
          />
        </Alert>
      )}
      <Button type="submit" loading={mutation.isPending}>
        {t(driver ? "drivers.form.update" : "drivers.form.save")}
      </Button>
    </form>
  )
}

/** The server's message, unless it is the one that is shown already. */
function ServerMessage({ error, shown }: { error: unknown; shown: string }) {
  const { t } = useTranslation()
  const reason = errorMessage(t, error, shown)
  return reason === shown ? null : <p>{reason}</p>
}
