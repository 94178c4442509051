import { useTranslation } from "react-i18next"
import { driverListOptions } from "~/entities/driver/use-driver-list"
import { useOnline } from "~/hooks/use-online"
import { formatDateTime } from "~/lib/dates"
import { queryClient } from "~/lib/query-client"
import { Alert } from "~/ui/alert"

/** While the browser is offline: since when the panel has shown the same data. */
export function OfflineNote() {
  const { t } = useTranslation()
  const online = useOnline()
  const fetchedAt = queryClient.getQueryState(driverListOptions().queryKey)?.dataUpdatedAt
  if (online) return null
  return (
    <Alert className="mb-5" tone="caution" live="status" title={t("common.offline.title")}>
      {fetchedAt
        ? t("common.offline.since", { time: formatDateTime(fetchedAt) })
        : t("common.offline.none")}
    </Alert>
  )
}
