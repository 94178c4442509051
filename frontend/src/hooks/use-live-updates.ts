import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { getCheckVersionOptions } from "~/api/@tanstack/react-query.gen"
import { refetchQueries } from "~/lib/cached-queries"
import { useIsImpersonated, useUser } from "./use-user"

/** With both requests and a slow connection an outcome is on the screen within 30 seconds. */
const pollInterval = 20_000
const maxPollInterval = 120_000

/**
 * Refetches the panel's data when the server has something new: a result, a driver, a notice.
 *
 * A version of a few bytes is polled, in the visible tab only, and asked for whenever the tab or
 * its window is returned to. While it fails, the next poll waits for as long as it has been
 * failing. An operator's session ends when it is idle, so only its user's return asks, not the
 * clock.
 */
export function useLiveUpdates(): void {
  const { isAdmin } = useUser()
  const isImpersonated = useIsImpersonated()
  const known = useRef<string>(undefined)
  const { data, refetch } = useQuery({
    ...getCheckVersionOptions(),
    staleTime: 0,
    refetchOnWindowFocus: "always",
    refetchOnReconnect: "always",
    refetchInterval: ({ state }) => {
      if (isAdmin || isImpersonated) return false
      const failing = state.status === "error" ? state.errorUpdatedAt - state.dataUpdatedAt : 0
      return Math.min(Math.max(failing, pollInterval), maxPollInterval)
    },
  })
  const version = data?.version

  useEffect(() => {
    const check = () => void refetch()
    window.addEventListener("focus", check)
    return () => window.removeEventListener("focus", check)
  }, [refetch])

  useEffect(() => {
    if (version === undefined) return
    const hasChanged = known.current !== undefined && known.current !== version
    known.current = version
    if (!hasChanged) return
    void refetchQueries("drivers", "notices", "subscription")
  }, [version])
}
