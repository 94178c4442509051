import { useQuery } from "@tanstack/react-query"
import { listDriversOptions } from "~/api/@tanstack/react-query.gen"
import { awaitsFirstCheck } from "~/entities/driver/driver"

/** Milliseconds between polls while a driver awaits its first check. */
const pollInterval = 15_000
const maxFetches = 40

/**
 * The company's drivers, each with its latest verification.
 *
 * A new driver is checked within about a minute. Until then the list polls, in the visible tab
 * only and a limited number of times, so that the first result appears without a reload.
 */
export function useDriverList() {
  return useQuery({
    ...listDriversOptions({ query: { verifications: 1, view: "summary" } }),
    refetchInterval: ({ state }) =>
      state.status === "success" &&
      state.dataUpdateCount < maxFetches &&
      state.data?.some(awaitsFirstCheck)
        ? pollInterval
        : false,
  })
}
