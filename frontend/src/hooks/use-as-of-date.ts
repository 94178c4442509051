import { useEffect, useRef } from "react"
import { refetchQueries } from "~/lib/cached-queries"
import { asOfDate } from "~/lib/dates"
import { useProductNow } from "./use-product-now"

/**
 * 'Stan na dzień' (docs/rules.md R8). When the date changes in an open panel, the data is
 * refetched: a new date above yesterday's results would be wrong.
 */
export function useAsOfDate(): string {
  const date = asOfDate(useProductNow())
  const displayed = useRef(date)

  useEffect(() => {
    if (displayed.current === date) return
    displayed.current = date
    void refetchQueries("drivers", "notices")
  }, [date])

  return date
}
