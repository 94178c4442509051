import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { SubscriptionOut } from "~/api/types.gen"
import { isActive } from "~/features/subscription/use-subscription"
import { formatDate, formatDateTime } from "~/lib/dates"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button-link"

/** A banner for what needs a decision soon: a trial, a failed renewal, or an ended plan. */
export function PlanBanner({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { trial, isTrial, graceUntil, endDate, daysLeft } = subscription
  const active = isActive(subscription)

  if (graceUntil) return <GraceAlert until={graceUntil} />
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

/** For other screens: until when drivers are checked after a failed renewal, with a link to pay. */
export function GraceBanner({ subscription }: { subscription: SubscriptionOut | undefined }) {
  const { t } = useTranslation()
  if (!subscription?.graceUntil) return null
  return (
    <GraceAlert
      until={subscription.graceUntil}
      action={
        <ButtonLink to="/panel/subscription" variant="secondary" size="sm">
          {t("subscription.grace.pay")}
        </ButtonLink>
      }
    />
  )
}
