import { valibotResolver } from "@hookform/resolvers/valibot"
import { useEffect, useState } from "react"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { useFormDraft } from "~/hooks/use-draft"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { cleanInput } from "~/ui/clean-input"
import { useUnsavedGuard } from "~/ui/dialog-guard"
import { Field } from "~/ui/field"
import { CategoryChoice } from "./category-choice"
import { driverErrorMessage, driverFieldErrors } from "./driver-errors"
import { type DriverFields, vDriverForm } from "./driver-schema"
import { LicenceCard } from "./licence-card"
import { cleanLicenceNumber, isFieldFive } from "./licence-number"

/** The part that the form needs of a mutation, such as that of `useAddDriver`. */
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
  /** Offers to go on with another driver; `onDone` is not called then. */
  onNext?: () => void
}

const fields = ["firstName", "lastName", "licenseNumber", "neededCategories"] as const
const empty: DriverFields = {
  firstName: "",
  lastName: "",
  licenseNumber: "",
  neededCategories: [],
}

export function DriverForm({ driver, mutation, onDone, onNext }: DriverFormProps) {
  const { t } = useTranslation()
  const form = useForm<DriverFields>({
    resolver: valibotResolver(vDriverForm),
    defaultValues: driver
      ? {
          firstName: driver.firstName,
          lastName: driver.lastName,
          licenseNumber: driver.licenseNumber,
          neededCategories: driver.neededCategories,
        }
      : empty,
  })
  useFormDraft(`driver.${driver?.id ?? "new"}`, form)
  const { errors, isDirty } = form.formState
  useUnsavedGuard(isDirty)
  const [isNextWanted, setIsNextWanted] = useState(false)
  const [savedCount, setSavedCount] = useState(0)
  // After the render: a reset form knows its fields again only then.
  useEffect(() => {
    if (savedCount > 0) form.setFocus("firstName")
  }, [savedCount, form])
  const number = useWatch({ control: form.control, name: "licenseNumber" })
  const failed = t(driver ? "drivers.form.updateFailed" : "drivers.form.failed")

  const onSaved = (data: DriverFields, andNext: boolean) => {
    form.reset(driver ? data : empty)
    if (!andNext || !onNext) return onDone()
    setSavedCount(savedCount + 1)
    onNext()
  }
  const onFailed = (error: unknown) => {
    const firstInvalid = fields.find((field) => driverFieldErrors(t, error)[field])
    if (firstInvalid) form.setFocus(firstInvalid)
  }
  // On the promise, not as callbacks of `mutate`: those are skipped when the dialog closes early.
  const save = (andNext: boolean) => {
    setIsNextWanted(andNext)
    return form.handleSubmit((data) =>
      mutation.mutateAsync(data).then(() => onSaved(data, andNext), onFailed),
    )()
  }
  const serverErrors = driverFieldErrors(t, mutation.error)

  const nameError = (field: "firstName" | "lastName") =>
    errors[field] ? t(`drivers.form.${field}.required`) : serverErrors[field]

  const format = t("drivers.form.licenseNumber.format")
  const licenceError = () => {
    if (isFieldFive(number)) return t("drivers.form.licenseNumber.fieldFive")
    if (!errors.licenseNumber) return serverErrors.licenseNumber
    const value = form.getValues("licenseNumber").trim()
    return value === "" ? t("drivers.form.licenseNumber.required") : format
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save(false)
      }}
      aria-label={t(driver ? "drivers.form.editTitle" : "drivers.form.addTitle")}
      noValidate
      className="flex flex-col gap-5"
    >
      <Field
        label={t("drivers.form.firstName.label")}
        autoComplete="off"
        hint={t("drivers.form.firstName.hint")}
        error={nameError("firstName")}
        {...form.register("firstName")}
      />
      <Field
        label={t("drivers.form.lastName.label")}
        autoComplete="off"
        error={nameError("lastName")}
        {...form.register("lastName")}
      />
      <div>
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
          onInput={cleanInput(cleanLicenceNumber)}
          onPaste={(event) => {
            event.preventDefault()
            const pasted = cleanLicenceNumber(event.clipboardData.getData("text"))
            form.setValue("licenseNumber", pasted, { shouldDirty: true })
          }}
        />
        <LicenceCard />
      </div>
      <CategoryChoice
        error={serverErrors.neededCategories}
        register={() => form.register("neededCategories")}
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
      <div className="flex flex-wrap gap-3 *:flex-1">
        <Button type="submit" loading={mutation.isPending && !isNextWanted}>
          {t(driver ? "drivers.form.update" : "drivers.form.save")}
        </Button>
        {onNext && (
          <Button
            variant="secondary"
            loading={mutation.isPending && isNextWanted}
            onClick={() => void save(true)}
            className="whitespace-nowrap"
          >
            {t("drivers.form.saveAndNext")}
          </Button>
        )}
      </div>
    </form>
  )
}

/** The server's message, unless it is the one that is shown already. */
function ServerMessage({ error, shown }: { error: unknown; shown: string }) {
  const { t } = useTranslation()
  const reason = errorMessage(t, error, shown)
  return reason === shown ? null : <p>{reason}</p>
}
