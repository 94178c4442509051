import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { checkDriver } from "~/api/sdk.gen"
import type { DriverSummaryOut, VerificationOut } from "~/api/types.gen"
import { refreshDriverQueries } from "~/entities/driver/use-driver-mutations"

export type CheckProgress = {
  done: number
  total: number
  outcomes: Partial<Record<VerificationOut["status"], number>>
  isRunning: boolean
  /** Why the rest was not checked; null if nothing stopped it. */
  error: unknown
}

/**
 * Checks drivers one after another from the first render on, as long as the caller is mounted. The
 * first error stops it: the hourly limit of checks, or a register that does not answer.
 */
export function useBulkCheck(drivers: readonly DriverSummaryOut[]): CheckProgress {
  const cache = useQueryClient()
  // Of the first render: the list is refetched while its drivers are being checked.
  const [chosen] = useState(drivers)
  const [progress, setProgress] = useState<CheckProgress>({
    done: 0,
    total: chosen.length,
    outcomes: {},
    isRunning: true,
    error: null,
  })
  const isStarted = useRef(false)
  const isMounted = useRef(true)

  useEffect(() => {
    isMounted.current = true
    const run = async () => {
      let error: unknown = null
      for (const { id } of chosen) {
        if (!isMounted.current) break
        try {
          const { data } = await checkDriver({ path: { driver_id: id }, throwOnError: true })
          setProgress(({ done, outcomes, ...rest }) => ({
            ...rest,
            done: done + 1,
            outcomes: { ...outcomes, [data.status]: (outcomes[data.status] ?? 0) + 1 },
          }))
        } catch (caught) {
          error = caught
          break
        }
      }
      setProgress((current) => ({ ...current, isRunning: false, error }))
      await refreshDriverQueries(cache)
    }
    if (!isStarted.current) {
      isStarted.current = true
      void run()
    }
    return () => {
      isMounted.current = false
    }
  }, [cache, chosen])

  return progress
}
