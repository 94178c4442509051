import { CalendarClock } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { SubscriptionOut } from "~/api/types.gen"
import { formatDate } from "~/shared/dates"

/** One line that says how long the trial still runs, or when it ended. */
export function TrialNote({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const { trial, isTrial, status } = subscription
  if (!trial || !isTrial) return null
  const running = status === "active"

  return (
    <p className="inline-flex items-center gap-2 text-sm font-semibold text-ink-soft">
      <CalendarClock aria-hidden className="size-4 shrink-0" />
      {running
        ? t("subscription.trial.daysLeft", { count: trial.daysLeft })
        : t("subscription.trial.ended", { date: formatDate(trial.endDate) })}
    </p>
  )
}
