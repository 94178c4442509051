import { hashKey, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { driverListOptions } from "~/entities/driver/use-driver-list"
import { storeLastStateTime } from "~/lib/last-state"
import { registerServiceWorker } from "~/lib/service-worker"

/** Milliseconds after which the first screen stands, on a slow phone as well. */
const settled = 4_000

/** Prepares the page that opens without a network, with the time of the data shown last. */
export function useOfflinePage(): void {
  const cache = useQueryClient()

  useEffect(() => {
    const timer = setTimeout(() => void registerServiceWorker(), settled)
    return () => clearTimeout(timer)
  }, [])

  useEffect(() => {
    const { queryKey } = driverListOptions()
    const store = () => {
      const fetchedAt = cache.getQueryState(queryKey)?.dataUpdatedAt
      if (fetchedAt) void storeLastStateTime(fetchedAt)
    }
    store()
    return cache.getQueryCache().subscribe(({ type, query }) => {
      if (type === "updated" && query.queryHash === hashKey(queryKey)) store()
    })
  }, [cache])
}
