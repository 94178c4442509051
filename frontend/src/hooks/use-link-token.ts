import { useEffect, useState } from "react"
import { useLocation, useNavigate } from "react-router"

/**
 * The token of a link in a mail or an SMS, which has no room for its name; "" without one. It is in
 * the fragment, which no Referer header has, and is taken out of the address, so that the history
 * keeps none. A second link pasted into the address of the page changes the fragment alone: its
 * token replaces the first one. `kept`: it stays with this tab's entry of the history, so that the
 * page can be loaded again.
 */
export function useLinkToken({ kept = false } = {}): string {
  const { hash, pathname, state } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(kept && typeof state === "string" ? state : "")
  const fragment = new URLSearchParams(hash.slice(1))
  const linkToken = fragment.get("token") ?? [...fragment.keys()][0]
  if (linkToken && linkToken !== token) setToken(linkToken)

  useEffect(() => {
    if (hash) void navigate(pathname, { replace: true, state: kept ? linkToken : null })
  }, [hash, pathname, navigate, kept, linkToken])

  return token
}
