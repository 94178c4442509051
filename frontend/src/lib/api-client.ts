/** Configures the generated client: the session cookie, the language and the error class. */

import { client } from "~/api/client.gen"
import { ApiError } from "./api-error"
import { fetchOrTakeEarly } from "./early-responses"
import type { Language } from "./language"

let screenLanguage: Language = "pl"
let accountLanguage: Language | null = null
let account: string | null = null
/** Calls that were made without a network. */
const unsent = new WeakSet<Request>()

/** Sets the language of the screen, which requests ask for. */
export function setRequestLanguage(language: Language): void {
  screenLanguage = language
}

/**
 * Sets the account's language, in which the server writes its messages whatever was asked for; null
 * for a visitor.
 */
export function setAccountLanguage(language: Language | null): void {
  accountLanguage = language
}

/**
 * Sets whose page this is; null for a visitor. Once another tab has given the browser the session of
 * another account, the server refuses every request of the page but for the user.
 */
export function setRequestAccount(email: string | null): void {
  account = email
}

client.setConfig({ credentials: "same-origin", fetch: fetchOrTakeEarly as typeof fetch })

client.interceptors.request.use((request) => {
  request.headers.set("Accept-Language", screenLanguage)
  const asksWho = request.url.endsWith("/api/user")
  if (account && !asksWho) request.headers.set("Prawko-Account", encodeURIComponent(account))
  if (request.method !== "GET" && !navigator.onLine) unsent.add(request)
  return request
})

client.interceptors.error.use(
  (body, response, request) =>
    new ApiError(body, response, accountLanguage ?? screenLanguage, {
      isUnsent: request !== undefined && unsent.has(request),
    }),
)
