import { hashKey } from "@tanstack/react-query"
import { useEffect } from "react"
import { driverListOptions } from "~/entities/driver/use-driver-list"
import { loadDriverPanel } from "~/features/driver/lazy-driver-panel"
import { storeLastStateTime } from "~/lib/last-state"
import { queryClient } from "~/lib/query-client"
import { registerServiceWorker } from "~/lib/service-worker"

/** Milliseconds after which the first screen stands, on a slow phone as well. */
const settled = 4_000

/** Prepares what opens without a network: a driver, and the page with the time of the data shown last. */
export function useOfflinePage(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      void registerServiceWorker()
      loadDriverPanel().catch(() => {}) // again when it is opened
    }, settled)
    return () => clearTimeout(timer)
  }, [])

  useEffect(() => {
    const { queryKey } = driverListOptions()
    const store = () => {
      const fetchedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt
      if (fetchedAt) void storeLastStateTime(fetchedAt)
    }
    store()
    return queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === "updated" && query.queryHash === hashKey(queryKey)) store()
    })
  }, [])
}
