import { CalendarClock } from "lucide-react"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { SubscriptionOut } from "~/api/types.gen"
import { isActive } from "~/entities/subscription/use-subscription"
import { formatDate, formatDateTime } from "~/lib/dates"
import { formatAmount } from "~/lib/money"
import { minOrderableLimit, periodPrice } from "~/lib/price"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button-link"

const lastTrialDays = 2

/** A banner for what needs a decision soon: a trial, a failed renewal, or an ended plan. */
export function PlanBanner({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { trial, isTrial, graceUntil, refusedRenewal, endDate, daysLeft } = subscription
  const active = isActive(subscription)

  if (graceUntil) return <GraceAlert until={graceUntil} />
  if (active && refusedRenewal) return <RefusalAlert subscription={subscription} />
  if (isTrial && trial) {
    return active ? (
      <Alert tone="info" title={t("subscription.trial.daysLeft", { count: trial.daysLeft })}>
        <p>{t("subscription.trial.banner.runningText")}</p>
      </Alert>
    ) : (
      <Alert
        tone="caution"
        title={t("subscription.trial.ended", { date: formatDate(trial.endDate) })}
      >
        <p>{t("subscription.endedText")}</p>
      </Alert>
    )
  }
  // A subscription that an operator has closed may have days left.
  if (!active && endDate && daysLeft === 0) {
    return (
      <Alert tone="caution" title={t("subscription.endedTitle", { date: formatDate(endDate) })}>
        <p>{t("subscription.endedText")}</p>
      </Alert>
    )
  }
  return null
}

function GraceAlert({ until, action }: { until: string; action?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Alert title={t("subscription.grace.title")} action={action}>
      <p>{t("subscription.grace.text", { date: formatDateTime(until) })}</p>
    </Alert>
  )
}

type RefusalAlertProps = { subscription: SubscriptionOut; action?: ReactNode }

/** The refused charge of a renewal, when it is tried next, and until when access lasts. */
function RefusalAlert({ subscription, action }: RefusalAlertProps) {
  const { t } = useTranslation()
  const { refusedRenewal, mandateLabel, endDate } = subscription
  if (!refusedRenewal) return null
  const { triedAt, nextTryAt } = refusedRenewal
  const tried = { tried: formatDateTime(triedAt) }
  return (
    <Alert tone="caution" live="status" title={t("subscription.refusal.title")} action={action}>
      <p>
        {mandateLabel
          ? t("subscription.refusal.label", { ...tried, label: mandateLabel })
          : t("subscription.refusal.tried", tried)}{" "}
        {nextTryAt
          ? t("subscription.refusal.next", { next: formatDateTime(nextTryAt) })
          : t("subscription.refusal.last")}{" "}
        {endDate && t("subscription.refusal.advice", { date: formatDateTime(endDate) })}
      </p>
    </Alert>
  )
}

/**
 * For other screens, with a link to pay: the last days of a trial, a refused charge of the renewal,
 * or after the end until when drivers are still checked.
 */
export function RenewalBanner({ subscription }: { subscription: SubscriptionOut | undefined }) {
  const { t } = useTranslation()
  if (!subscription) return null
  const action = (
    <ButtonLink to="/panel/subscription" variant="secondary" size="sm">
      {t("subscription.grace.pay")}
    </ButtonLink>
  )
  if (subscription.graceUntil) return <GraceAlert until={subscription.graceUntil} action={action} />
  if (!isActive(subscription)) return null
  return subscription.isTrial ? (
    <TrialEndAlert subscription={subscription} />
  ) : (
    <RefusalAlert subscription={subscription} action={action} />
  )
}

/** In the last days of a trial: the price of the plan, and the way to order it. */
function TrialEndAlert({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { trial, drivers } = subscription
  if (!trial || trial.daysLeft > lastTrialDays) return null
  const limit = minOrderableLimit(drivers)
  return (
    <Alert
      tone="caution"
      live="status"
      title={t("subscription.trial.daysLeft", { count: trial.daysLeft })}
      action={
        <ButtonLink to="/panel/subscription" size="sm">
          {t("subscription.trial.banner.choose")}
        </ButtonLink>
      }
    >
      <p>
        {t("subscription.trial.banner.endsText", {
          date: formatDateTime(trial.endDate),
          limit: t("subscription.driverLimit", { count: limit }),
          net: formatAmount(periodPrice(limit).net),
        })}
      </p>
    </Alert>
  )
}

/** How long the trial lasts, or when it ended, in one line. */
export function TrialNote({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { trial, isTrial, status } = subscription
  if (!trial || !isTrial) return null
  const isRunning = status === "active"

  return (
    <p className="inline-flex items-center gap-2 text-sm font-semibold text-ink-soft">
      <CalendarClock aria-hidden className="size-4 shrink-0" />
      {isRunning
        ? t("subscription.trial.daysLeft", { count: trial.daysLeft })
        : t("subscription.trial.ended", { date: formatDate(trial.endDate) })}
    </p>
  )
}
