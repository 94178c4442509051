import { useTranslation } from "react-i18next"
import type { AcknowledgementOut, EpisodeOut } from "~/api/types.gen"
import { daysBefore, formatDateTime, formatTime, warsawDate } from "~/lib/dates"

/** The texts of the dashboard on an episode. */
export function useEpisodeTexts(today: string) {
  const { t } = useTranslation()

  /** "22.11.2026, 06:10 (wczoraj)" */
  const describeSince = ({ since }: Pick<EpisodeOut, "since">): string => {
    const at = formatDateTime(since)
    const day = warsawDate(Date.parse(since))
    if (day === today) return `${at} (${t("dashboard.queue.today")})`
    return day === daysBefore(today, 1) ? `${at} (${t("dashboard.queue.yesterday")})` : at
  }

  const describeReasons = ({ reasons }: Pick<EpisodeOut, "reasons">): string =>
    reasons.map(({ wartosc }) => wartosc).join("; ") || t("dashboard.queue.noReason")

  /** "anna@acme.pl, 03.11.2026, 06:10"; of today the time alone. */
  const describeAuthor = ({ createdBy, createdAt }: AcknowledgementOut): string => {
    const isToday = warsawDate(Date.parse(createdAt)) === today
    const at = isToday ? formatTime(createdAt) : formatDateTime(createdAt)
    return `${createdBy ?? t("dashboard.queue.formerMember")}, ${at}`
  }

  return { describeSince, describeReasons, describeAuthor }
}
