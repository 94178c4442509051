import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation } from "@tanstack/react-query"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import type { DriverOut } from "~/api/types.gen"
import { problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"
import { showToast } from "~/ui/toasts"
import { driverFieldProblems, driverProblem } from "./driver-problem"
import { type DriverFields, vDriverForm } from "./driver-schema"
import { capitalise, capitals } from "./licence-number"
import { useAddDriver } from "./use-drivers"

type DriverFormProps = {
  /** The driver to edit; without one the form adds a new driver. */
  driver?: DriverOut
  /** Replaces the adding, as editing does. */
  onSubmit?: (driver: DriverFields) => Promise<unknown>
  onDone: (driver: DriverFields) => void
}

const fields = ["firstName", "lastName", "licenseNumber"] as const

export function DriverForm({ driver, onSubmit, onDone }: DriverFormProps) {
  const { t } = useTranslation()
  const addDriver = useAddDriver()
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
  const { errors } = form.formState
  const failed = t(driver ? "drivers.form.updateFailed" : "drivers.form.failed")

  const save = useMutation({
    mutationFn: (data: DriverFields) =>
      onSubmit ? onSubmit(data) : addDriver.mutateAsync({ body: data }),
    onSuccess: (_, data) => {
      showToast({
        title: t("common.success"),
        description: t(driver ? "drivers.form.updated" : "drivers.form.added"),
      })
      form.reset(driver ? data : empty)
      onDone(data)
    },
    onError: (error) => {
      showToast({
        tone: "error",
        title: t("common.error"),
        description: driverProblem(t, error, failed),
      })
      const refused = fields.find((field) => driverFieldProblems(t, error)[field])
      if (refused) form.setFocus(refused)
    },
  })
  const refused = driverFieldProblems(t, save.error)

  const required = (field: "firstName" | "lastName") =>
    errors[field] ? t(`drivers.form.${field}.required`) : refused[field]

  const format = t("drivers.form.licenseNumber.format")
  const licenceError = () => {
    if (!errors.licenseNumber) return refused.licenseNumber
    const typed = form.getValues("licenseNumber").trim()
    return typed === "" ? t("drivers.form.licenseNumber.required") : format
  }

  return (
    <form
      onSubmit={form.handleSubmit((data) => save.mutate(data))}
      aria-label={t(driver ? "drivers.form.editTitle" : "drivers.form.addTitle")}
      noValidate
      className="flex flex-col gap-5"
    >
      <Field
        label={t("drivers.form.firstName.label")}
        autoComplete="off"
        error={required("firstName")}
        {...form.register("firstName")}
      />
      <Field
        label={t("drivers.form.lastName.label")}
        autoComplete="off"
        error={required("lastName")}
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
        onInput={capitalise}
        onPaste={(event) => {
          event.preventDefault()
          const pasted = event.clipboardData.getData("text").replace(/[\s-]/g, "").slice(0, 8)
          form.setValue("licenseNumber", capitals(pasted), { shouldDirty: true })
        }}
      />
      {driver && <p className="text-sm text-ink-soft">{t("drivers.form.rechecked")}</p>}
      {save.error && !fields.some((field) => refused[field]) && (
        <Alert title={driverProblem(t, save.error, failed)}>
          <Reason error={save.error} said={driverProblem(t, save.error, failed)} />
        </Alert>
      )}
      <Button type="submit" loading={save.isPending}>
        {t(driver ? "drivers.form.update" : "drivers.form.save")}
      </Button>
    </form>
  )
}

/** The server's own words, where the form's sentence has not said them yet. */
function Reason({ error, said }: { error: unknown; said: string }) {
  const { t } = useTranslation()
  const reason = problemSentence(t, error, said)
  return reason === said ? null : <p>{reason}</p>
}
