import { useEffect, useState } from "react"
import { flushSync } from "react-dom"

/** Whether the page is being printed, so that a list can show all of its pages on paper. */
export function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)

  useEffect(() => {
    // At once: the browser takes the page as it is when the listeners have returned.
    const begin = () => flushSync(() => setIsPrinting(true))
    const end = () => setIsPrinting(false)
    window.addEventListener("beforeprint", begin)
    window.addEventListener("afterprint", end)
    return () => {
      window.removeEventListener("beforeprint", begin)
      window.removeEventListener("afterprint", end)
    }
  }, [])

  return isPrinting
}
