import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import {
  listNotificationsOptions,
  listNotificationsQueryKey,
  readAllNotificationsMutation,
  readNotificationMutation,
  removeNotificationMutation,
} from "~/api/@tanstack/react-query.gen"
import { listNotifications } from "~/api/sdk.gen"
import type { NotificationOut } from "~/api/types.gen"

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
  return newest.data?.filter((notification) => !notification.read).length ?? 0
}

export function useMarkAsRead() {
  const cache = useQueryClient()
  return useMutation({
    ...readNotificationMutation(),
    onSuccess: (read) => updateCachedRows(cache, (one) => (one.id === read.id ? read : one)),
  })
}

export function useMarkAllAsRead() {
  const cache = useQueryClient()
  return useMutation({
    ...readAllNotificationsMutation(),
    onSuccess: () => {
      updateCachedRows(cache, (one) => ({ ...one, read: true }))
      // The server has marked newer ones, too, which are not in the cache yet.
      void cache.invalidateQueries({ queryKey: listNotificationsQueryKey() })
    },
  })
}

/** Deletes a notification, then refetches its page, so that the next row moves up. */
export function useRemoveNotification() {
  const cache = useQueryClient()
  return useMutation({
    ...removeNotificationMutation(),
    onSuccess: () => cache.invalidateQueries({ queryKey: listNotificationsQueryKey() }),
  })
}

/** Updates cached rows: in the pages and in the list that is counted. */
function updateCachedRows(
  cache: QueryClient,
  row: (one: NotificationOut) => NotificationOut,
): void {
  cache.setQueriesData<NotificationOut[] | NotificationPage>(
    { queryKey: listNotificationsQueryKey() },
    (cached) => {
      if (!cached) return cached
      return Array.isArray(cached) ? cached.map(row) : { ...cached, rows: cached.rows.map(row) }
    },
  )
}
