/** The product's clock in the browser: the machine's, plus what a demonstration moved it by. */

import { useEffect, useState } from "react"
import { useMaybeUser } from "~/shared/session"

const minute = 60_000

/** Milliseconds of the product's clock, fresh every minute and whenever the page is seen again. */
export function useProductNow(): number {
  const offset = (useMaybeUser()?.clockOffset ?? 0) * 1000
  const [now, setNow] = useState(() => Date.now())

  useEffect(() => {
    const tick = () => setNow(Date.now())
    const timer = window.setInterval(tick, minute)
    document.addEventListener("visibilitychange", tick)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener("visibilitychange", tick)
    }
  }, [])

  return now + offset
}
