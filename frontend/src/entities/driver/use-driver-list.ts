import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { getCheckVersionOptions, listDriversOptions } from "~/api/@tanstack/react-query.gen"
import { awaitsFirstCheck } from "./driver"

/** The query of the company's drivers, each with its latest verification. */
export function driverListOptions() {
  return listDriversOptions({ query: { verifications: 1, view: "summary" } })
}

/** Milliseconds between polls while a driver awaits its first check, and for how long. */
const polls = [
  { until: 60_000, interval: 2_000 },
  { until: 600_000, interval: 15_000 },
]

/** The company's drivers, each with its latest verification; a first result appears by itself. */
export function useDriverList() {
  const list = useQuery(driverListOptions())
  useFirstCheckPoll(
    list.data
      ?.filter(awaitsFirstCheck)
      .map(({ id }) => id)
      .join(" ") ?? "",
  )
  return list
}

/**
 * Polls the version of the panel's data, in the visible tab only; `useLiveUpdates` fetches the list
 * when the version has changed. The first check of a new driver starts at once, unless the register
 * is busy or down.
 */
function useFirstCheckPoll(waiting: string): void {
  const began = useMemo(() => ({ waiting, at: performance.now() }), [waiting])
  useQuery({
    ...getCheckVersionOptions(),
    staleTime: 0,
    enabled: waiting !== "",
    refetchInterval: () => {
      const age = performance.now() - began.at
      return polls.find(({ until }) => age < until)?.interval ?? false
    },
  })
}
