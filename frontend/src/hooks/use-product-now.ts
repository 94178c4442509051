import { useEffect, useState } from "react"
import { warsawDate } from "~/lib/dates"
import { useOptionalUser } from "./use-user"

const minuteMs = 60_000

/**
 * The product's time in milliseconds: the machine's clock plus the offset of a demonstration.
 * Updated every minute and whenever the page becomes visible.
 */
export function useProductNow(): number {
  const offset = (useOptionalUser()?.clockOffset ?? 0) * 1000
  const [now, setNow] = useState(() => Date.now())

  useEffect(() => {
    const update = () => setNow(Date.now())
    const timer = window.setInterval(update, minuteMs)
    document.addEventListener("visibilitychange", update)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener("visibilitychange", update)
    }
  }, [])

  return now + offset
}

/** Today in Warsaw by the product's clock; an open page follows it over midnight. */
export function useProductToday(): string {
  return warsawDate(useProductNow())
}
