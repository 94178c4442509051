import { useTranslation } from "react-i18next"
import type { SubscriptionOut } from "~/api/types.gen"
import { formatDate, formatMoment } from "~/shared/dates"
import { Alert } from "~/ui/alert"
import { isActive } from "./use-subscription"

/** What about the plan needs a decision soon: a trial, a renewal that failed, an end. */
export function PlanBanner({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { trial, isTrial, graceUntil, endDate, daysLeft } = subscription
  const active = isActive(subscription)

  if (graceUntil) {
    return (
      <Alert title={t("subscription.grace.title")}>
        <p>{t("subscription.grace.text", { date: formatMoment(graceUntil) })}</p>
      </Alert>
    )
  }
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
  // One that an operator has closed may have days left.
  if (!active && endDate && daysLeft === 0) {
    return (
      <Alert tone="caution" title={t("subscription.endedTitle", { date: formatDate(endDate) })}>
        <p>{t("subscription.endedText")}</p>
      </Alert>
    )
  }
  return null
}
