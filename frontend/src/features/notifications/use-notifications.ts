import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import {
  listNotificationsOptions,
  listNotificationsQueryKey,
  readNotificationMutation,
} from "~/api/@tanstack/react-query.gen"
import type { NotificationOut } from "~/api/types.gen"

/** The list itself is fetched whenever it is opened; what else reads it takes it as it is. */
export function useNotifications() {
  return useQuery({ ...listNotificationsOptions(), refetchOnMount: "always" })
}

export function useUnreadCount(): number {
  return (
    useQuery(listNotificationsOptions()).data?.filter((notification) => !notification.read)
      .length ?? 0
  )
}

export function useMarkAsRead() {
  const cache = useQueryClient()
  return useMutation({
    ...readNotificationMutation(),
    onSuccess: (read) => {
      cache.setQueryData<NotificationOut[]>(listNotificationsQueryKey(), (all) =>
        all?.map((one) => (one.id === read.id ? read : one)),
      )
    },
  })
}
