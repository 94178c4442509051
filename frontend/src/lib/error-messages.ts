/** The messages that users see about a failed request. */

import type { TFunction } from "i18next"
import { ApiError } from "./api-error"
import { i18n } from "./i18n"
import { tieWords } from "./line-ends"
import type { catalogue } from "./polish-catalogue"

type ProblemKey = keyof typeof catalogue.problems

/**
 * The server's message, else the catalogue's for the error key, else `fallback`.
 *
 * The server writes in the account's language. On a screen in the other language the catalogue's
 * message replaces it, so that no screen mixes languages; only for an unknown key the server's
 * stays. A 5xx without a message gets the fallback. A request without a network has a message
 * of its own.
 */
export function errorMessage(t: TFunction, error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return navigator.onLine ? fallback : t("common.offline.reason")
  if (error.userMessage && isInScreenLanguage(error)) return tieWords(error.userMessage)
  return isProblemKey(error.key) ? t(`problems.${error.key}`) : (error.userMessage ?? fallback)
}

/** The message of each invalid field; empty if the error is not about fields. */
export function fieldErrors(error: unknown): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof ApiError)) return {}
  const { key, fields } = error
  const isServers = isInScreenLanguage(error) || !isProblemKey(key)
  return Object.fromEntries(
    Object.entries(fields).map(([field, message]) => [
      field,
      isServers ? tieWords(message) : i18n.t(`problems.${key}`),
    ]),
  )
}

export function isApiError(error: unknown, key: ProblemKey): boolean {
  return error instanceof ApiError && error.key === key
}

/** The request had no valid session: it has ended, or there never was one. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.key !== "invalid_credentials"
}

function isInScreenLanguage(error: ApiError): boolean {
  return error.language === i18n.resolvedLanguage
}

function isProblemKey(key: string): key is ProblemKey {
  return key !== "" && i18n.exists(`problems.${key}`)
}
