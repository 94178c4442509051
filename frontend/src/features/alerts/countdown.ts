/** A countdown by the wall clock, so that it is right in a background tab, too. */

import type { TFunction } from "i18next"
import { useEffect, useReducer } from "react"

/** `startedAt` is in milliseconds. */
export type Countdown = { startedAt: number; seconds: number }

export const startCountdown = (seconds: number): Countdown => ({ startedAt: Date.now(), seconds })

/** A clock that is set back ends the countdown; the server enforces the wait anyway. */
function secondsLeft({ startedAt, seconds }: Countdown): number {
  const elapsed = Date.now() - startedAt
  return elapsed < 0 ? 0 : Math.max(0, Math.ceil(seconds - elapsed / 1000))
}

export function useSecondsLeft(countdown: Countdown | undefined): number {
  const [, rerender] = useReducer((renders: number) => renders + 1, 0)
  const remaining = countdown ? secondsLeft(countdown) : 0
  const running = remaining > 0

  useEffect(() => {
    if (!running) return
    const timer = window.setInterval(rerender, 250)
    document.addEventListener("visibilitychange", rerender)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener("visibilitychange", rerender)
    }
  }, [running])

  return remaining
}

/** "27 s", "12 min" or "3 godz.". */
export function formatCountdown(t: TFunction, seconds: number): string {
  if (seconds < 120) return t("notifications.phone.seconds", { value: seconds })
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 120) return t("notifications.phone.minutes", { value: minutes })
  return t("notifications.phone.hours", { value: Math.ceil(minutes / 60) })
}
