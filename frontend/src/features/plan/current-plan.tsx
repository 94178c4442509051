import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { SubscriptionOut } from "~/api/types.gen"
import { isActive, isPaidPeriodActive } from "~/entities/subscription/use-subscription"
import { formatDate, formatDateTime } from "~/lib/dates"
import { formatAmount } from "~/lib/money"
import { countDriversAs } from "~/lib/plurals"
import { Badge, type BadgeTone } from "~/ui/badge"
import { Card } from "~/ui/card"
import { Fact } from "~/ui/fact"
import { SectionHead } from "~/ui/section-head"
import { PlanActions } from "./plan-actions"

const statusTones: Record<SubscriptionOut["status"], BadgeTone> = {
  active: "valid",
  trial: "neutral",
  inactive: "neutral",
  cancelled: "caution",
  expired: "caution",
}

/** The current plan: limit, status, remaining time and renewal. */
export function CurrentPlan({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { status, driverLimit, endDate, daysLeft, isTrial, cancelled, drivers } = subscription
  const isRunning = isActive(subscription)
  const limit = (count: number) => t("subscription.driverLimit", { count })

  return (
    <Card className="@container overflow-hidden">
      <SectionHead title={t("subscription.current")} />
      <dl className="grid gap-px bg-line @md:grid-cols-2 @3xl:grid-cols-4">
        <PlanFact name={t("subscription.fields.plan")}>
          {driverLimit === 0 ? (
            t("subscription.noPlan")
          ) : (
            <>
              {isTrial && `${t("subscription.trial.name")}, `}
              {limit(driverLimit)}
            </>
          )}
          {subscription.nextLimit !== null && subscription.nextLimitAt && (
            <SecondaryText>
              {t("subscription.nextLimit", {
                date: formatDate(subscription.nextLimitAt),
                limit: limit(subscription.nextLimit),
              })}
            </SecondaryText>
          )}
          <SecondaryText>{t("subscription.driversUsed", countDriversAs(drivers))}</SecondaryText>
        </PlanFact>
        <PlanFact name={t("subscription.fields.status")}>
          {cancelled && isRunning && endDate ? (
            <Badge tone="caution">
              {t("subscription.cancelledUntil", { date: formatDate(endDate) })}
            </Badge>
          ) : (
            <Badge tone={statusTones[status]}>{t(`subscription.status.${status}`)}</Badge>
          )}
        </PlanFact>
        <PlanFact
          name={isRunning ? t("subscription.fields.daysLeft") : t("subscription.fields.ends")}
        >
          {isRunning && t("subscription.days", { count: daysLeft })}
          {!endDate && "–"}
          {endDate && !isRunning && formatDate(endDate)}
          {endDate && isRunning && (
            <SecondaryText>{t("subscription.until", { date: formatDate(endDate) })}</SecondaryText>
          )}
        </PlanFact>
        <PlanFact name={t("subscription.fields.renewal")}>
          <Renewal subscription={subscription} />
        </PlanFact>
      </dl>
      <PlanActions subscription={subscription} />
    </Card>
  )
}

function Renewal({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { renews, mandateLabel, cancelled, nextPriceNet, refusedRenewal } = subscription
  if (subscription.graceUntil) return <span>{t("subscription.renewal.failed")}</span>
  if (!isPaidPeriodActive(subscription)) return <span>–</span>
  if (cancelled) return <span>{t("subscription.renewal.off")}</span>
  return (
    <>
      {t(renews ? "subscription.renewal.auto" : "subscription.renewal.manual")}
      {renews && mandateLabel && (
        <SecondaryText>{t("subscription.renewal.card", { label: mandateLabel })}</SecondaryText>
      )}
      {refusedRenewal && (
        <span className="block text-sm text-caution-ink">
          {t("subscription.renewal.refused", { date: formatDateTime(refusedRenewal.triedAt) })}
        </span>
      )}
      {nextPriceNet > 0 && (
        <SecondaryText>
          {t("subscription.renewal.next", { net: formatAmount(nextPriceNet) })}
        </SecondaryText>
      )}
    </>
  )
}

function PlanFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Fact
      name={name}
      className="bg-surface px-5 py-4"
      valueClass="figures mt-1 text-lg font-semibold text-balance"
    >
      {children}
    </Fact>
  )
}

function SecondaryText({ children }: { children: ReactNode }) {
  return <span className="block text-sm font-normal text-ink-soft">{children}</span>
}
