import { useEffect, useRef } from "react"
import { refetchQueries } from "~/lib/cached-queries"
import { asOfDate } from "~/lib/dates"
import { useProductNow } from "./use-product-now"

/**
 * Refetches the data when 'Stan na dzień' (docs/rules.md R8) changes in an open panel: a new date
 * above yesterday's results would be wrong. Once in a screen.
 */
export function useAsOfSwitch(): void {
  const date = asOfDate(useProductNow())
  const displayed = useRef(date)

  useEffect(() => {
    if (displayed.current === date) return
    displayed.current = date
    void refetchQueries("drivers", "notices")
  }, [date])
}
