import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import {
  addDriverMutation,
  getCheckSummaryQueryKey,
  getSubscriptionQueryKey,
  listDriversQueryKey,
  removeDriverMutation,
  updateDriverMutation,
} from "~/api/@tanstack/react-query.gen"

// The list is fetched before the form closes, so that it already shows what was done.
async function refreshList(cache: QueryClient): Promise<void> {
  // It counts the drivers; whoever shows it next asks anew.
  void cache.invalidateQueries({ queryKey: getSubscriptionQueryKey(), refetchType: "none" })
  await Promise.all([
    cache.invalidateQueries({ queryKey: listDriversQueryKey() }),
    cache.invalidateQueries({ queryKey: getCheckSummaryQueryKey() }),
  ])
}

export function useAddDriver() {
  const cache = useQueryClient()
  return useMutation({ ...addDriverMutation(), onSuccess: () => refreshList(cache) })
}

export function useUpdateDriver() {
  const cache = useQueryClient()
  return useMutation({ ...updateDriverMutation(), onSuccess: () => refreshList(cache) })
}

export function useRemoveDriver() {
  const cache = useQueryClient()
  return useMutation({ ...removeDriverMutation(), onSuccess: () => refreshList(cache) })
}
