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

/** Unread ones are counted among the newest so many; the mark in the menu says no more than that. */
const countedAmong = { query: { pageSize: 100 } }

type Page = { rows: NotificationOut[]; total: number }

/** A page of the list, fetched whenever it is opened; the page before stays until it is there. */
export function useNotificationPage(page: number) {
  const query = { page, pageSize }
  return useQuery<Page>({
    queryKey: [...listNotificationsQueryKey({ query }), "page"],
    queryFn: async ({ signal }) => {
      const { data, response } = await listNotifications({ query, signal, throwOnError: true })
      return { rows: data, total: totalOf(response) ?? (page - 1) * pageSize + data.length }
    },
    refetchOnMount: "always",
    placeholderData: keepPreviousData,
  })
}

/** The last number of `Content-Range: notifications 0-9/37`. */
function totalOf(response: Response): number | undefined {
  const total = /\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1]
  return total === undefined ? undefined : Number(total)
}

/** How many are unread; `fresh` asks the server when the screen opens. */
export function useUnreadCount({ fresh = false } = {}): number {
  const newest = useQuery({
    ...listNotificationsOptions(countedAmong),
    refetchOnMount: fresh ? "always" : true,
  })
  return newest.data?.filter((notification) => !notification.read).length ?? 0
}

export function useMarkAsRead() {
  const cache = useQueryClient()
  return useMutation({
    ...readNotificationMutation(),
    onSuccess: (read) => change(cache, (one) => (one.id === read.id ? read : one)),
  })
}

export function useMarkAllAsRead() {
  const cache = useQueryClient()
  return useMutation({
    ...readAllNotificationsMutation(),
    onSuccess: () => {
      change(cache, (one) => ({ ...one, read: true }))
      // What has come since the list was read is read now, too.
      void cache.invalidateQueries({ queryKey: listNotificationsQueryKey() })
    },
  })
}

/** Deletes one; its page is read anew before the call is over, so that the next one moves up. */
export function useRemoveNotification() {
  const cache = useQueryClient()
  return useMutation({
    ...removeNotificationMutation(),
    onSuccess: () => cache.invalidateQueries({ queryKey: listNotificationsQueryKey() }),
  })
}

/** Changes rows wherever they are kept: in the pages, and where the unread ones are counted. */
function change(cache: QueryClient, row: (one: NotificationOut) => NotificationOut): void {
  cache.setQueriesData<NotificationOut[] | Page>(
    { queryKey: listNotificationsQueryKey() },
    (kept) => {
      if (!kept) return kept
      return Array.isArray(kept) ? kept.map(row) : { ...kept, rows: kept.rows.map(row) }
    },
  )
}
