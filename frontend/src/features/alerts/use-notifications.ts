import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { useTranslation } from "react-i18next"
import {
  listNotificationsOptions,
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

/** Unread notifications are counted among the newest hundred, which is enough for the menu. */
const newestHundred = { query: { pageSize: 100 } }

type NotificationPage = { rows: NotificationOut[]; total: number }

/** A page of notifications, refetched on mount; the previous page stays until it has loaded. */
export function useNotificationPage(page: number) {
  const query = { page, pageSize }
  return useQuery<NotificationPage>({
    queryKey: [...listNotificationsQueryKey({ query }), "page"],
    queryFn: async ({ signal }) => {
      const { data, response } = await listNotifications({ query, signal, throwOnError: true })
      return { rows: data, total: parseTotal(response) ?? (page - 1) * pageSize + data.length }
    },
    refetchOnMount: "always",
    placeholderData: keepPreviousData,
  })
}

/** The total in `Content-Range: notifications 0-9/37`. */
function parseTotal(response: Response): number | undefined {
  const total = /\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1]
  return total === undefined ? undefined : Number(total)
}

/** The number of unread notifications; `fresh` refetches them on mount. */
export function useUnreadCount({ fresh = false } = {}): number {
  const newest = useQuery({
    ...listNotificationsOptions(newestHundred),
    refetchOnMount: fresh ? "always" : true,
  })
  const removals = useRemovals()
  const isUnread = ({ id, read }: NotificationOut) => !read && removals.get(id) !== "hidden"
  return newest.data?.filter(isUnread).length ?? 0
}

export function useMarkAsRead() {
  const { t } = useTranslation()
  return useMutation({
    ...readNotificationMutation(),
    meta: { failed: () => t("notifications.markReadFailed") },
    onSuccess: (read) => updateCachedRows((one) => (one.id === read.id ? read : one)),
  })
}

export function useMarkAllAsRead() {
  const { t } = useTranslation()
  return useMutation({
    ...readAllNotificationsMutation(),
    meta: { failed: () => t("notifications.readAllFailed") },
    onSuccess: () => {
      updateCachedRows((one) => ({ ...one, read: true }))
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

/** Updates cached rows: in the pages and in the list that is counted. */
function updateCachedRows(row: (one: NotificationOut) => NotificationOut): void {
  queryClient.setQueriesData<NotificationOut[] | NotificationPage>(
    { queryKey: listNotificationsQueryKey() },
    (cached) => {
      if (!cached) return cached
      return Array.isArray(cached) ? cached.map(row) : { ...cached, rows: cached.rows.map(row) }
    },
  )
}
