import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import {
  getCheckSummaryQueryKey,
  getSubscriptionQueryKey,
  listDriversQueryKey,
  removeDriverMutation,
} from "~/api/@tanstack/react-query.gen"
import { addDriver, updateDriver } from "~/api/sdk.gen"
import type { DriverFields } from "./driver-schema"

/** Awaited by the mutations, so that the list is up to date before the form closes. */
async function refreshDriverQueries(cache: QueryClient): Promise<void> {
  // The subscription counts the drivers; the next screen that shows it refetches it.
  void cache.invalidateQueries({ queryKey: getSubscriptionQueryKey(), refetchType: "none" })
  await Promise.all([
    cache.invalidateQueries({ queryKey: listDriversQueryKey() }),
    cache.invalidateQueries({ queryKey: getCheckSummaryQueryKey() }),
  ])
}

export function useAddDriver() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (driver: DriverFields) => addDriver({ body: driver, throwOnError: true }),
    onSuccess: () => refreshDriverQueries(cache),
  })
}

export function useUpdateDriver(driverId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (driver: DriverFields) =>
      updateDriver({ path: { driver_id: driverId }, body: driver, throwOnError: true }),
    onSuccess: () => refreshDriverQueries(cache),
  })
}

export function useRemoveDriver() {
  const cache = useQueryClient()
  return useMutation({ ...removeDriverMutation(), onSuccess: () => refreshDriverQueries(cache) })
}
