import { CalendarClock } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { SubscriptionOut } from "~/api/types.gen"
import { formatDate } from "~/lib/dates"

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
