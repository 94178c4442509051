import { clsx } from "clsx"
import { Circle, CircleCheck } from "lucide-react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import type { DriverSummaryOut, SubscriptionOut } from "~/api/types.gen"
import { isActive } from "~/entities/subscription/use-subscription"
import { Card } from "~/ui/card"
import { linkStyles } from "~/ui/text-link"
import { countFirstChecks, firstCheckPath, useIsNew, useStatusAlerts } from "./first-check"

type Step = { key: "company" | "drivers" | "phone" | "check"; to: string; done: boolean }

type FirstStepsProps = { drivers: readonly DriverSummaryOut[]; subscription: SubscriptionOut }

/**
 * The steps of setting up, until all are done, or a week has passed and the company has drivers: who
 * wants no SMS does not see them for ever. A step is done when it works, as the phone's when an SMS
 * about a driver's status would be sent.
 */
export function FirstSteps({ drivers, subscription }: FirstStepsProps) {
  const { t } = useTranslation()
  const isOver = !useIsNew(subscription, 7) && drivers.length > 0
  const alerts = useStatusAlerts(!isOver)
  const { checked, total } = countFirstChecks(drivers)
  if (isOver || !alerts) return null
  const steps: Step[] = [
    { key: "company", to: "/panel/subscription", done: isActive(subscription) },
    { key: "drivers", to: "/panel/drivers", done: drivers.length > 0 },
    {
      key: "phone",
      to: "/panel/notifications#phone",
      done: alerts.sms,
    },
    { key: "check", to: firstCheckPath, done: total > 0 && checked === total },
  ]
  if (steps.every(({ done }) => done)) return null
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="text-lg">{t("dashboard.firstSteps.title")}</h2>
      <ol className="mt-3 grid gap-x-6 gap-y-1 xl:grid-cols-[repeat(4,auto)]">
        {steps.map(({ key, to, done }) => {
          const Icon = done ? CircleCheck : Circle
          const isWaiting = key === "check" && total === 0
          const text = t(`dashboard.firstSteps.${isWaiting ? "waiting" : key}`, { checked, total })
          return (
            <li key={key} className="flex min-h-8 items-center gap-2.5">
              <Icon
                aria-hidden
                className={clsx("size-5 shrink-0", done ? "text-brand" : "text-ink-soft")}
              />
              {done ? (
                <span className="text-ink-soft">
                  {text}
                  <span className="sr-only">{t("dashboard.firstSteps.done")}</span>
                </span>
              ) : isWaiting ? (
                <span className="text-ink-soft">{text}</span>
              ) : (
                <Link to={to} className={`figures ${linkStyles}`}>
                  {text}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
