/** The path that waits behind the login: where a link of a mail, or an ended session, leads. */

const parameter = "next"

/** The screen at that path, as the login names it (`accounts.login.next.*`). */
type NextScreen = "driver" | "drivers" | "subscription" | "notifications" | "panel" | "console"

/** The login with the path that follows it. */
export function loginPath(next: string): string {
  return `/auth/login?${new URLSearchParams({ [parameter]: next })}`
}

/**
 * The path of the panel or the console that a query string names; null for none and for any other
 * address.
 */
export function readNextPath(search: string): string | null {
  const next = new URLSearchParams(search).get(parameter)
  if (!next?.startsWith("/") || next.includes("\\")) return null
  if (!URL.canParse(next, "http://panel.invalid")) return null
  const { origin, pathname } = new URL(next, "http://panel.invalid")
  if (origin !== "http://panel.invalid" || !next.startsWith(pathname)) return null
  return isBelow(pathname, "/panel") || isConsolePath(pathname) ? next : null
}

/** Whether the path is one of the operators' console, another application. */
export function isConsolePath(path: string): boolean {
  return isBelow(new URL(path, "http://panel.invalid").pathname, "/admin")
}

function isBelow(pathname: string, folder: string): boolean {
  return pathname === folder || pathname.startsWith(`${folder}/`)
}

export function nextScreen(path: string): NextScreen {
  if (isConsolePath(path)) return "console"
  const { pathname, searchParams } = new URL(path, "http://panel.invalid")
  if (/^\/panel\/drivers\/[^/]+$/.test(pathname)) return "driver"
  if (pathname === "/panel/drivers") return searchParams.has("driver") ? "driver" : "drivers"
  if (pathname.startsWith("/panel/subscription")) return "subscription"
  if (pathname === "/panel/notifications") return "notifications"
  return "panel"
}
