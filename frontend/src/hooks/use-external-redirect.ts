/** Redirects to a URL from the server: a screen of the panel or a payment provider's page. */

import { useCallback, useEffect, useState } from "react"
import { useNavigate } from "react-router"

/** `redirecting` stays true until the other site has replaced the page. */
export function useExternalRedirect(): { redirect: (url: string) => void; redirecting: boolean } {
  const navigate = useNavigate()
  const [redirecting, setRedirecting] = useState(false)

  useEffect(() => {
    // The browser's back button may restore this page from its cache, with the old state.
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && setRedirecting(false)
    window.addEventListener("pageshow", onPageShow)
    return () => window.removeEventListener("pageshow", onPageShow)
  }, [])

  const redirect = useCallback(
    (url: string) => {
      const target = new URL(url, window.location.href)
      if (isPanelUrl(target)) {
        void navigate(target.pathname + target.search)
        return
      }
      if (!/^https?:$/.test(target.protocol)) throw new Error(`no page: ${target.protocol}`)
      setRedirecting(true)
      browserLocation.assign(target.href)
    },
    [navigate],
  )
  return { redirect, redirecting }
}

/** The browser's navigation, replaced in tests. */
export const browserLocation = { assign: (url: string) => window.location.assign(url) }

function isPanelUrl(target: URL): boolean {
  return target.origin === window.location.origin && target.pathname.startsWith("/panel/")
}
