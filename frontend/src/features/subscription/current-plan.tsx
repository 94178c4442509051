import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { SubscriptionOut } from "~/api/types.gen"
import { formatDate } from "~/shared/dates"
import type { Tone } from "~/shared/document-state"
import { formatMoney } from "~/shared/money"
import { Badge } from "~/ui/badge"
import { Card } from "~/ui/card"
import { PlanActions } from "./plan-actions"
import { isActive, isPaid } from "./use-subscription"

const tones: Record<SubscriptionOut["status"], Tone> = {
  active: "valid",
  trial: "neutral",
  inactive: "neutral",
  cancelled: "caution",
  expired: "caution",
}

/** What the company has now: plan, state, how long it lasts, and what comes after. */
export function CurrentPlan({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { status, driverLimit, endDate, daysLeft, isTrial, cancelled, drivers } = subscription
  const running = isActive(subscription)
  const limit = (count: number) => t("subscription.driverLimit", { count })

  return (
    <Card className="@container overflow-hidden">
      <h2 className="border-b border-line px-5 py-4 text-lg">{t("subscription.current")}</h2>
      <dl className="grid gap-px bg-line @md:grid-cols-2 @3xl:grid-cols-4">
        <Fact name={t("subscription.fields.plan")}>
          {driverLimit === 0 ? (
            t("subscription.noPlan")
          ) : (
            <>
              {isTrial && `${t("subscription.trial.name")}, `}
              {limit(driverLimit)}
            </>
          )}
          {subscription.nextLimit !== null && subscription.nextLimitAt && (
            <More>
              {t("subscription.nextLimit", {
                date: formatDate(subscription.nextLimitAt),
                limit: limit(subscription.nextLimit),
              })}
            </More>
          )}
          <More>{t("subscription.driversUsed", { count: drivers })}</More>
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
          {!endDate && "–"}
          {endDate && !running && formatDate(endDate)}
          {endDate && running && (
            <More>{t("subscription.until", { date: formatDate(endDate) })}</More>
          )}
        </Fact>
        <Fact name={t("subscription.fields.renewal")}>
          <Renewal subscription={subscription} />
        </Fact>
      </dl>
      <PlanActions subscription={subscription} />
    </Card>
  )
}

function Renewal({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { renews, mandateLabel, cancelled, priceNet } = subscription
  if (subscription.graceUntil) return t("subscription.renewal.failed")
  if (!isPaid(subscription)) return "–"
  if (cancelled) return t("subscription.renewal.off")
  return (
    <>
      {t(renews ? "subscription.renewal.auto" : "subscription.renewal.manual")}
      {renews && mandateLabel && (
        <More>{t("subscription.renewal.card", { label: mandateLabel })}</More>
      )}
      {priceNet > 0 && (
        <More>{t("subscription.renewal.next", { net: formatMoney(priceNet) })}</More>
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 bg-surface px-5 py-4">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="figures mt-1 text-lg font-semibold text-balance wrap-anywhere">{children}</dd>
    </div>
  )
}

function More({ children }: { children: ReactNode }) {
  return <span className="block text-sm font-normal text-ink-soft">{children}</span>
}
