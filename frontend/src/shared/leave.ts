/** To an address the server named: a screen of ours, or a payment provider's page. */

import { useCallback, useEffect, useState } from "react"
import { useNavigate } from "react-router"

/** Goes there; `leaving` stays true until the other site has taken over the window. */
export function useLeave(): { leave: (url: string) => void; leaving: boolean } {
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState(false)

  useEffect(() => {
    // The browser's way back may bring this very page again, as it was when it was left.
    const back = ({ persisted }: PageTransitionEvent) => persisted && setLeaving(false)
    window.addEventListener("pageshow", back)
    return () => window.removeEventListener("pageshow", back)
  }, [])

  const leave = useCallback(
    (url: string) => {
      const target = new URL(url, window.location.href)
      if (isOurs(target)) {
        void navigate(target.pathname + target.search)
        return
      }
      if (!/^https?:$/.test(target.protocol)) throw new Error(`no page: ${target.protocol}`)
      setLeaving(true)
      browser.open(target.href)
    },
    [navigate],
  )
  return { leave, leaving }
}

/** The window's way out; tests put their own in its place. */
export const browser = { open: (url: string) => window.location.assign(url) }

function isOurs(target: URL): boolean {
  return target.origin === window.location.origin && target.pathname.startsWith("/panel/")
}
