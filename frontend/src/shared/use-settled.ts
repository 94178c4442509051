import { useEffect, useState } from "react"

/** The value, once it has stayed the same for so many milliseconds; the first one at once. */
export function useSettled<T>(value: T, after: number): T {
  const [settled, setSettled] = useState(value)

  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), after)
    return () => window.clearTimeout(timer)
  }, [value, after])

  return settled
}
