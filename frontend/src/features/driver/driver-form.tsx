import { useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { CategoryChoice } from "~/entities/driver/category-choice"
import {
  cleanLicenceNumber,
  type DriverFields,
  driverErrorMessage,
  driverFieldErrors,
  isFieldFive,
  vDriverForm,
} from "~/entities/driver/driver-fields"
import { Button } from "~/ui/button"
import { useUnsavedGuard } from "~/ui/dialog-guard"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Form, useServerForm } from "~/ui/server-form"
import { LicenceCard } from "./licence-card"

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

const empty: DriverFields = {
  firstName: "",
  lastName: "",
  licenseNumber: "",
  neededCategories: [],
}

export function DriverForm({ driver, mutation, onDone, onNext }: DriverFormProps) {
  const { t } = useTranslation()
  const isNextWanted = useRef(false)
  const { form, submit, field, error } = useServerForm({
    schema: vDriverForm,
    defaultValues: driver
      ? {
          firstName: driver.firstName,
          lastName: driver.lastName,
          licenseNumber: driver.licenseNumber,
          neededCategories: driver.neededCategories,
        }
      : empty,
    call: mutation,
    send: mutation.mutateAsync,
    onSent: (saved) => {
      form.reset(driver ? saved : empty)
      if (!isNextWanted.current || !onNext) return onDone()
      setSavedCount(savedCount + 1)
      onNext()
    },
    draft: `driver.${driver?.id ?? "new"}`,
    readErrors: (refused) => driverFieldErrors(t, refused),
  })
  const { isDirty } = form.formState
  useUnsavedGuard(isDirty)
  const [savedCount, setSavedCount] = useState(0)
  // After the render: a reset form knows its fields again only then.
  useEffect(() => {
    if (savedCount > 0) form.setFocus("firstName")
  }, [savedCount, form])
  const number = form.watch("licenseNumber")
  const failed = t(driver ? "drivers.form.updateFailed" : "drivers.form.failed")
  const failure = driverErrorMessage(t, error, failed)
  const save = (andNext: boolean) => {
    isNextWanted.current = andNext
    return submit()
  }
  const format = t("drivers.form.licenseNumber.format")
  const licenceField = field(
    "licenseNumber",
    number.trim() === "" ? t("drivers.form.licenseNumber.required") : format,
  )
  const licenceError = isFieldFive(number)
    ? t("drivers.form.licenseNumber.fieldFive")
    : licenceField.error

  return (
    <Form
      submit={() => save(false)}
      label={t(driver ? "drivers.form.editTitle" : "drivers.form.addTitle")}
    >
      <Field
        label={t("drivers.form.firstName.label")}
        autoComplete="off"
        hint={t("drivers.form.firstName.hint")}
        {...field("firstName", t("drivers.form.firstName.required"))}
      />
      <Field
        label={t("drivers.form.lastName.label")}
        autoComplete="off"
        {...field("lastName", t("drivers.form.lastName.required"))}
      />
      <div>
        <Field
          label={t("drivers.form.licenseNumber.label")}
          hint={licenceError === format ? undefined : format}
          placeholder="AA123456"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={8}
          className="serial"
          {...licenceField}
          error={licenceError}
          clean={cleanLicenceNumber}
        />
        <LicenceCard />
      </div>
      <CategoryChoice
        error={field("neededCategories").error}
        register={() => form.register("neededCategories")}
      />
      {driver && <p className="text-sm text-ink-soft">{t("drivers.form.rechecked")}</p>}
      <ErrorAlert title={failure} error={error} fallback={failure} />
      <div className="flex flex-wrap gap-3 *:flex-1">
        <Button type="submit" loading={mutation.isPending && !isNextWanted.current}>
          {t(driver ? "drivers.form.update" : "drivers.form.save")}
        </Button>
        {onNext && (
          <Button
            variant="secondary"
            loading={mutation.isPending && isNextWanted.current}
            onClick={() => void save(true)}
            className="whitespace-nowrap"
          >
            {t("drivers.form.saveAndNext")}
          </Button>
        )}
      </div>
    </Form>
  )
}
