import { keepPreviousData, queryOptions, useMutation, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { useTranslation } from "react-i18next"
import {
  listNotificationsQueryKey,
  readAllNotificationsMutation,
  readNotificationMutation,
} from "~/api/@tanstack/react-query.gen"
import { listNotifications, removeNotification } from "~/api/sdk.gen"
import type { NotificationOut } from "~/api/types.gen"
import { refetchQueries } from "~/lib/cached-queries"
import { isApiError, isUnauthenticated } from "~/lib/error-messages"
import { i18n } from "~/lib/i18n"
import { queryClient } from "~/lib/query-client"
import { clearToasts, showToast } from "~/lib/toasts"
import { deletionsUnderWay, setRemoval, setUnderWay, useRemovals } from "./pending-removals"

export const pageSize = 10

type NotificationPage = { rows: NotificationOut[]; total: number }

function notificationPage(query: { page?: number; pageSize: number; unread?: boolean }) {
  return queryOptions<NotificationPage>({
    queryKey: [...listNotificationsQueryKey({ query }), "page"],
    queryFn: async ({ signal }) => {
      const { data, response } = await listNotifications({ query, signal, throwOnError: true })
      const before = ((query.page ?? 1) - 1) * query.pageSize
      return { rows: data, total: parseTotal(response) ?? before + data.length }
    },
  })
}

/** A page of notifications, refetched on mount; the previous page stays until it has loaded. */
export function useNotificationPage(page: number) {
  return useQuery({
    ...notificationPage({ page, pageSize }),
    refetchOnMount: "always",
    placeholderData: keepPreviousData,
  })
}

/** The total in `Content-Range: notifications 0-9/37`. */
function parseTotal(response: Response): number | undefined {
  const total = /\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1]
  return total === undefined ? undefined : Number(total)
}

/** The unread total, and the rows that are marked or deleted before it is read again. */
const newestUnread = notificationPage({ unread: true, pageSize: 20 })

/** The number of unread notifications; `fresh` refetches them on mount. */
export function useUnreadCount({ fresh = false } = {}): number {
  const { data } = useQuery({ ...newestUnread, refetchOnMount: fresh ? "always" : true })
  const removals = useRemovals()
  if (!data) return 0
  const isDone = ({ id, read }: NotificationOut) => read || removals.get(id) === "hidden"
  return data.total - data.rows.filter(isDone).length
}

export function useMarkAsRead() {
  const { t } = useTranslation()
  return useMutation({
    ...readNotificationMutation(),
    meta: { failed: () => t("notifications.markReadFailed") },
    onSuccess: (read) => {
      updateCachedRows((one) => (one.id === read.id ? read : one))
      void refetchQueries("notices") // it may be older than the unread rows here
    },
  })
}

export function useMarkAllAsRead() {
  const { t } = useTranslation()
  return useMutation({
    ...readAllNotificationsMutation(),
    meta: { failed: () => t("notifications.readAllFailed") },
    onSuccess: () => {
      updateCachedRows((one) => ({ ...one, read: true }))
      queryClient.setQueryData(newestUnread.queryKey, { rows: [], total: 0 })
      // The server has marked newer ones, too, which are not in the cache yet.
      void refetchQueries("notices")
    },
  })
}

/** Deletes a hidden notification. A deletion that failed shows it again, with the error. */
async function deleteHidden(id: string): Promise<void> {
  window.removeEventListener("pagehide", clearToasts)
  setUnderWay(id, true)
  try {
    const path = { notification_id: id }
    await removeNotification({ path, keepalive: true, throwOnError: true }).catch(ignoreMissing)
    await refetchQueries("notices")
    setRemoval(id, null)
  } catch (error) {
    if (isUnauthenticated(error)) return setRemoval(id, null)
    setRemoval(id, { error })
    showToast({
      tone: "error",
      title: i18n.t("common.error"),
      description: i18n.t("notifications.deleteFailed"),
    })
  } finally {
    setUnderWay(id, false)
  }
}

/** It was deleted before: by the page that was reloaded, or in another tab. */
function ignoreMissing(error: unknown): void {
  if (!isApiError(error, "not_found")) throw error
}

/**
 * Asks again for the deletions that the page before left under way, so that the list is read once
 * they are done.
 */
export function useResumedDeletions(): void {
  useEffect(() => {
    for (const id of deletionsUnderWay()) {
      setRemoval(id, "hidden")
      void deleteHidden(id)
    }
  }, [])
}

/** Hides a notification, and deletes it once that cannot be undone any more, also when the page is left. */
export function useRemoveNotification() {
  const { t } = useTranslation()

  return (id: string) => {
    setRemoval(id, "hidden")
    showToast({
      title: t("common.success"),
      description: t("notifications.deleted"),
      action: {
        label: t("notifications.undo"),
        onUndo: () => setRemoval(id, null),
        onExpire: () => void deleteHidden(id),
      },
    })
    window.addEventListener("pagehide", clearToasts)
  }
}

/** Updates cached rows: in the pages and among the unread. */
function updateCachedRows(row: (one: NotificationOut) => NotificationOut): void {
  queryClient.setQueriesData<NotificationPage>(
    { queryKey: listNotificationsQueryKey() },
    (cached) => cached && { ...cached, rows: cached.rows.map(row) },
  )
}
