import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { SubscriptionOut } from "~/api/types.gen"
import { formatDate } from "~/shared/dates"
import type { Tone } from "~/shared/document-state"
import { Badge } from "~/ui/badge"
import { Card } from "~/ui/card"

const tones: Record<SubscriptionOut["status"], Tone> = {
  active: "valid",
  trial: "neutral",
  inactive: "neutral",
  cancelled: "caution",
  expired: "caution",
}

/** What the company has now: plan, state, and how long it lasts. */
export function CurrentPlan({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { status, driverLimit, endDate, daysLeft, isTrial, cancelled } = subscription
  const running = status === "active"

  return (
    <Card>
      <h2 className="border-b border-line px-5 py-4 text-lg">{t("subscription.current")}</h2>
      <dl className="grid gap-px overflow-hidden rounded-b-lg bg-line sm:grid-cols-3">
        <Fact name={t("subscription.fields.plan")}>
          {driverLimit === 0 ? (
            t("subscription.noPlan")
          ) : (
            <>
              {isTrial && `${t("subscription.trial.name")}, `}
              {t("subscription.driverLimit", { count: driverLimit })}
            </>
          )}
        </Fact>
        <Fact name={t("subscription.fields.status")}>
          {cancelled && running && endDate ? (
            <Badge tone="caution">
              {t("subscription.cancelledUntil", { date: formatDate(endDate) })}
            </Badge>
          ) : (
            <Badge tone={tones[status]}>{t(`subscription.status.${status}`)}</Badge>
          )}
        </Fact>
        <Fact name={running ? t("subscription.fields.daysLeft") : t("subscription.fields.ends")}>
          {running && t("subscription.days", { count: daysLeft })}
          {endDate ? (
            <span className={running ? "block text-sm font-normal text-ink-soft" : undefined}>
              {running
                ? t("subscription.until", { date: formatDate(endDate) })
                : formatDate(endDate)}
            </span>
          ) : (
            "–"
          )}
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="bg-surface px-5 py-4">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="figures mt-1 text-lg font-semibold">{children}</dd>
    </div>
  )
}
