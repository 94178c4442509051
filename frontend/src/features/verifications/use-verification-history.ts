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

/** All verifications of one driver, newest first, a page at a time. */
export function useVerificationHistory(driverId: string) {
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
    // The daily check adds verifications while the panel is open.
    refetchOnMount: "always",
  })
}

/** Checks one driver manually; the list and the history show the result. */
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
