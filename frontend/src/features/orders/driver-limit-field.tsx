import { type Control, useController } from "react-hook-form"
import { Trans, useTranslation } from "react-i18next"
import { countDriversAs } from "~/lib/plurals"
import { driverLimitStep, maxDriverLimit, minDriverLimit, minOrderableLimit } from "~/lib/price"
import { ContactLink } from "~/ui/contact-link"
import { Stepper } from "~/ui/stepper"
import { limitError, type OrderFields } from "./order-schema"

type DriverLimitFieldProps = {
  control: Control<OrderFields>
  /** How many drivers the company has: no order may be for fewer. */
  drivers: number
  onChange: () => void
  serverError: string | undefined
}

/** The number of drivers to order for, in steps of five. */
export function DriverLimitField(props: DriverLimitFieldProps) {
  const { control, drivers, onChange, serverError } = props
  const { t } = useTranslation()
  const { field } = useController({ control, name: "driverLimit" })
  const min = minOrderableLimit(drivers)
  // Shown as soon as it applies, not only after a submit: no price can be quoted either.
  const error = limitError(field.value, drivers)
  const values = { least: min, drivers }

  return (
    <Stepper
      ref={field.ref}
      label={t("subscription.order.limit.label")}
      decrementLabel={t("subscription.order.limit.less")}
      incrementLabel={t("subscription.order.limit.more")}
      value={field.value}
      onChange={(limit) => {
        onChange()
        field.onChange(limit)
      }}
      min={min}
      max={maxDriverLimit}
      step={driverLimitStep}
      error={
        error ? (
          <Trans
            t={t}
            i18nKey={`subscription.order.limit.${error}`}
            values={values}
            components={{ contact: <ContactLink className="" /> }}
          />
        ) : (
          serverError
        )
      }
      hint={
        min > minDriverLimit && error !== "belowDrivers"
          ? t("subscription.order.limit.least", {
              least: min,
              drivers: t("drivers.count", countDriversAs(drivers)),
            })
          : t("subscription.order.limit.hint")
      }
    />
  )
}
