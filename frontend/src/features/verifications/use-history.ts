import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import {
  checkDriverMutation,
  getCheckSummaryQueryKey,
  listDriversQueryKey,
  listNotificationsQueryKey,
  listVerificationsQueryKey,
} from "~/api/@tanstack/react-query.gen"
import { listVerifications } from "~/api/sdk.gen"

const pageSize = 25

const historyKey = (driverId: string) =>
  [...listVerificationsQueryKey({ path: { driver_id: driverId } }), "pages"] as const

/** Every verification of one driver, newest first, a page at a time. */
export function useHistory(driverId: string) {
  return useInfiniteQuery({
    queryKey: historyKey(driverId),
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await listVerifications({
        path: { driver_id: driverId },
        query: { page: pageParam, pageSize },
        signal,
        throwOnError: true,
      })
      return data
    },
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length + 1),
    // The daily check writes while the panel is open: who opens the history wants it as it is now.
    refetchOnMount: "always",
  })
}

/** Ask the register about one driver now; the list and the history show the answer. */
export function useCheckDriver(driverId: string) {
  const cache = useQueryClient()
  return useMutation({
    ...checkDriverMutation({ path: { driver_id: driverId } }),
    onSuccess: async () => {
      await Promise.all([
        cache.invalidateQueries({ queryKey: historyKey(driverId) }),
        cache.invalidateQueries({ queryKey: listDriversQueryKey() }),
        cache.invalidateQueries({ queryKey: getCheckSummaryQueryKey() }),
        cache.invalidateQueries({ queryKey: listNotificationsQueryKey() }),
      ])
    },
  })
}
