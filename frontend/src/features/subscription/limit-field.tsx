import { useTranslation } from "react-i18next"
import { contactEmail } from "~/shared/brand"
import { driverStep, leastDrivers, leastOrder, mostDrivers } from "~/shared/price"
import { Stepper } from "~/ui/stepper"
import { limitProblem } from "./order-choice"

type LimitFieldProps = {
  id: string
  limit: number
  drivers: number
  onChange: (limit: number) => void
  /** The server's word about this number. */
  refused: string | undefined
}

/** For how many drivers: in fives, and never for fewer than there are. */
export function LimitField({ id, limit, drivers, onChange, refused }: LimitFieldProps) {
  const { t } = useTranslation()
  const least = leastOrder(drivers)
  const problem = limitProblem(limit, drivers)
  const values = { least, drivers, address: contactEmail }

  return (
    <Stepper
      id={id}
      label={t("subscription.order.limit.label")}
      less={t("subscription.order.limit.less")}
      more={t("subscription.order.limit.more")}
      value={limit}
      onChange={onChange}
      least={least}
      most={mostDrivers}
      step={driverStep}
      error={problem ? t(`subscription.order.limit.${problem}`, values) : refused}
      hint={
        least > leastDrivers && problem !== "belowDrivers"
          ? t("subscription.order.limit.least", {
              least,
              drivers: t("drivers.count", { count: drivers }),
            })
          : t("subscription.order.limit.hint")
      }
    />
  )
}
