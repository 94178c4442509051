import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import {
  getCheckSummaryQueryKey,
  listDriversQueryKey,
  listNotificationsQueryKey,
} from "~/api/@tanstack/react-query.gen"
import { asOfDay } from "~/shared/dates"
import { useProductNow } from "~/shared/product-clock"

/**
 * 'Stan na dzień' (reading R8). When the day turns in an open panel, the data it stands over is
 * fetched again: a new date over yesterday's results would be a lie.
 */
export function useAsOfDay(): string {
  const cache = useQueryClient()
  const day = asOfDay(useProductNow())
  const shown = useRef(day)

  useEffect(() => {
    if (shown.current === day) return
    shown.current = day
    void cache.invalidateQueries({ queryKey: listDriversQueryKey() })
    void cache.invalidateQueries({ queryKey: getCheckSummaryQueryKey() })
    void cache.invalidateQueries({ queryKey: listNotificationsQueryKey() })
  }, [day, cache])

  return day
}
