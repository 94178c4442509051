import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import {
  checkDriverMutation,
  getCheckSummaryQueryKey,
  listChangesQueryKey,
  listDriversQueryKey,
  listNotificationsQueryKey,
  listVerificationsQueryKey,
} from "~/api/@tanstack/react-query.gen"
import { listChanges, listVerifications } from "~/api/sdk.gen"
import type { StateChangeOut } from "~/api/types.gen"
import { driverPageKeys } from "~/lib/driver-queries"

const changesPerPage = 25
const checksPerPage = 100

/** The changes of one driver's answer, newest first, a page at a time. */
export function useChangeHistory(driverId: string) {
  return useInfiniteQuery({
    queryKey: [...listChangesQueryKey({ path: { driver_id: driverId } }), "pages"],
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await listChanges({
        path: { driver_id: driverId },
        query: { page: pageParam, pageSize: changesPerPage },
        signal,
        throwOnError: true,
      })
      return data
    },
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.length < changesPerPage ? undefined : all.length + 1),
    // The daily check adds verifications while the panel is open.
    refetchOnMount: "always",
  })
}

/** The single verifications of a change, newest first, a page at a time. */
export function useChecksOf({ driverId, firstVerifiedAt, verifiedAt }: StateChangeOut) {
  const span = { since: firstVerifiedAt, until: verifiedAt }
  return useInfiniteQuery({
    queryKey: [
      ...listVerificationsQueryKey({ path: { driver_id: driverId }, query: span }),
      "pages",
    ],
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await listVerifications({
        path: { driver_id: driverId },
        query: { ...span, page: pageParam, pageSize: checksPerPage },
        signal,
        throwOnError: true,
      })
      return data
    },
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.length < checksPerPage ? undefined : all.length + 1),
  })
}

/** Checks one driver manually; the list and the history show the result. */
export function useCheckDriver(driverId: string) {
  const cache = useQueryClient()
  return useMutation({
    ...checkDriverMutation({ path: { driver_id: driverId } }),
    onSuccess: async () => {
      await Promise.all(
        [
          ...driverPageKeys,
          listDriversQueryKey(),
          getCheckSummaryQueryKey(),
          listNotificationsQueryKey(),
        ].map((queryKey) => cache.invalidateQueries({ queryKey })),
      )
    },
  })
}
