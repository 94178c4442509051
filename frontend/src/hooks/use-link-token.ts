import { useEffect, useState } from "react"
import { useLocation, useNavigate } from "react-router"

/**
 * The token of a link in a mail or an SMS, which has no room for its name; "" without one. It is in
 * the fragment, which no Referer header has, and is taken out of the address, so that the history
 * keeps none. A second link pasted into the address of the page changes the fragment alone: its
 * token replaces the first one.
 */
export function useLinkToken(): string {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState("")
  const fragment = new URLSearchParams(hash.slice(1))
  const linkToken = fragment.get("token") ?? [...fragment.keys()][0]
  if (linkToken && linkToken !== token) setToken(linkToken)

  useEffect(() => {
    if (hash) void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])

  return token
}
