/** A wait that ends by the wall clock, however seldom the browser lets a hidden tab look at it. */

import type { TFunction } from "i18next"
import { useEffect, useReducer } from "react"

/** From `since`, in milliseconds, for so many `seconds`. */
export type Wait = { since: number; seconds: number }

export const waitFrom = (seconds: number): Wait => ({ since: Date.now(), seconds })

/** A clock set back ends the wait: the server decides anyway. */
function secondsLeft({ since, seconds }: Wait): number {
  const passed = Date.now() - since
  return passed < 0 ? 0 : Math.max(0, Math.ceil(seconds - passed / 1000))
}

export function useSecondsLeft(wait: Wait | undefined): number {
  const [, look] = useReducer((times: number) => times + 1, 0)
  const left = wait ? secondsLeft(wait) : 0
  const waiting = left > 0

  useEffect(() => {
    if (!waiting) return
    const timer = window.setInterval(look, 250)
    document.addEventListener("visibilitychange", look)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener("visibilitychange", look)
    }
  }, [waiting])

  return left
}

/** "27 s", "12 min", "3 godz.": as exact as one wants to know it. */
export function waitText(t: TFunction, seconds: number): string {
  if (seconds < 120) return t("notifications.phone.seconds", { value: seconds })
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 120) return t("notifications.phone.minutes", { value: minutes })
  return t("notifications.phone.hours", { value: Math.ceil(minutes / 60) })
}
