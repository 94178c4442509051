import { useQuery } from "@tanstack/react-query"
import { clsx } from "clsx"
import { Circle, CircleCheck } from "lucide-react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import { listNotificationsOptions } from "~/api/@tanstack/react-query.gen"
import type { SubscriptionOut } from "~/api/types.gen"
import { useUser } from "~/hooks/use-user"
import { Card } from "~/ui/card"

type Step = { key: "trial" | "drivers" | "phone" | "testAlert"; to: string; done: boolean }

type GettingStartedProps = { drivers: number; subscription: SubscriptionOut }

/** The steps that are left to set up in a trial, until all are done. */
export function GettingStarted({ drivers, subscription }: GettingStartedProps) {
  const { t } = useTranslation()
  const { phoneVerified } = useUser()
  // As the bell in the menu reads them, so that no request is added.
  const notifications = useQuery(listNotificationsOptions({ query: { pageSize: 100 } }))
  const steps: Step[] = [
    { key: "trial", to: "/panel/subscription", done: subscription.status === "active" },
    { key: "drivers", to: "/panel/drivers?add", done: drivers > 0 },
    { key: "phone", to: "/panel/notifications", done: phoneVerified },
    {
      key: "testAlert",
      to: "/panel/notifications",
      done: notifications.data?.some(({ type }) => type === "test_alert") ?? true,
    },
  ]
  if (!subscription.isTrial || steps.every(({ done }) => done)) return null
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="text-lg">{t("dashboard.gettingStarted.title")}</h2>
      <ol className="mt-3 grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {steps.map(({ key, to, done }) => {
          const Icon = done ? CircleCheck : Circle
          const text = t(`dashboard.gettingStarted.${key}`, {
            drivers,
            limit: subscription.driverLimit,
          })
          return (
            <li key={key} className="flex min-h-8 items-center gap-2.5">
              <Icon
                aria-hidden
                className={clsx("size-5 shrink-0", done ? "text-valid" : "text-ink-soft")}
              />
              {done ? (
                <span className="text-ink-soft">
                  {text}
                  <span className="sr-only">{t("dashboard.gettingStarted.done")}</span>
                </span>
              ) : (
                <Link to={to} className="font-semibold text-brand underline underline-offset-2">
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
