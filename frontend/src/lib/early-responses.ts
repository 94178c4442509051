/**
 * Responses that the page requested while its scripts were still loading: the build adds a script
 * to the page (scripts/boot-script.ts) that sends the requests of its screen.
 */

declare global {
  interface Window {
    earlyResponses?: Record<string, Promise<Response>>
  }
}

const user = "/api/user"
const notifications = "/api/notifications?unread=true&pageSize=20"
const overview = [
  "/api/drivers?verifications=1&view=summary",
  "/api/subscription",
  "/api/checks/summary",
  notifications,
]

/** The requests of every screen with a session, and those of each path for a verified user. */
export const earlyRequests = {
  user,
  byPath: {
    "/": overview,
    "/en": overview,
    "/panel": overview,
    "/panel/drivers": overview,
    "/panel/drivers/:driverId": overview,
    "/panel/subscription": ["/api/subscription", notifications],
    "/panel/notifications": [notifications],
    "/panel/account": [notifications],
  } as Record<string, string[]>,
}

/**
 * Fetches, or returns the early response to the same request, once. A write may change what the
 * others answered, so it drops them; a failed one is requested again.
 */
export async function fetchOrTakeEarly(request: Request): Promise<Response> {
  if (request.method !== "GET") window.earlyResponses = {}
  const early = window.earlyResponses ?? {}
  const { pathname, search } = new URL(request.url)
  const path = pathname + search
  const response = early[path]
  delete early[path]
  const answer = await response?.catch(() => undefined)
  // 401 is an answer: the visitor is not signed in.
  return answer && (answer.ok || answer.status === 401) ? answer : fetch(request)
}
