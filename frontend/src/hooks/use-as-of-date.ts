import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { useProductNow } from "~/hooks/use-product-now"
import { refetchQueries } from "~/lib/cached-queries"
import { asOfDate } from "~/lib/dates"

/**
 * 'Stan na dzień' (docs/rules.md R8). When the date changes in an open panel, the data is
 * refetched: a new date above yesterday's results would be wrong.
 */
export function useAsOfDate(): string {
  const cache = useQueryClient()
  const date = asOfDate(useProductNow())
  const displayed = useRef(date)

  useEffect(() => {
    if (displayed.current === date) return
    displayed.current = date
    void refetchQueries(cache, "drivers", "notices")
  }, [date, cache])

  return date
}
