import { useTranslation } from "react-i18next"
import type { DriverSummaryOut, StateChangeOut } from "~/api/types.gen"
import { useLanguage } from "~/hooks/use-language"
import { useProductToday } from "~/hooks/use-product-now"
import { formatDate, formatDateTime, formatDaysAgo, warsawDate } from "~/lib/dates"
import { useChangeHistory } from "./use-verification-history"

/** Since when the episode lasts, or the document's present state: "od 21.11.2026 (wczoraj)". */
export function StateSince({ driver: { id, episode } }: { driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const today = useProductToday()
  const history = useChangeHistory(id)
  const known = history.data && stateSince(history.data.pages.flat(), !history.hasNextPage)
  const since = episode?.since ?? known
  if (!since) return null
  const ago = formatDaysAgo(warsawDate(Date.parse(since)), today, language)
  return (
    <span className="figures text-sm text-ink-soft">
      {t("drivers.page.since", { date: episode ? formatDateTime(since) : formatDate(since), ago })}
    </span>
  )
}

/**
 * The first of the newest verifications with one state of one document, of changes newest first.
 * Undefined when it may be older than all of them.
 */
export function stateSince(
  changes: readonly StateChangeOut[],
  areComplete: boolean,
): string | undefined {
  const isSame = (one: StateChangeOut) =>
    one.status === changes[0]?.status &&
    one.documentStatus === changes[0]?.documentStatus &&
    one.licenseNumber === changes[0]?.licenseNumber
  const otherIndex = changes.findIndex((one) => !isSame(one))
  if (otherIndex === -1) return areComplete ? changes.at(-1)?.firstVerifiedAt : undefined
  return changes[otherIndex - 1]?.firstVerifiedAt
}
