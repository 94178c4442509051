/** How a refusal is said to people. */

import type { TFunction } from "i18next"
import problems from "~/locales/pl/problems.json"
import { i18n } from "~/shared/i18n"
import { Refusal } from "~/shared/refusal"

type ProblemKey = keyof typeof problems

/**
 * The sentence of a refusal: the server's own, else the catalogue's for its key, else `fallback`.
 *
 * The server writes in the account's language. On a screen in the other one the catalogue speaks
 * for it, so that no screen mixes two languages; only a key it does not know stays as it came.
 * A 5xx without a sentence of its own says nothing a reader can use, so it gets the fallback.
 */
export function problemSentence(t: TFunction, error: unknown, fallback: string): string {
  if (!(error instanceof Refusal)) return fallback
  if (error.sentence && isReadable(error)) return error.sentence
  return isProblemKey(error.key) ? t(`problems.${error.key}`) : (error.sentence ?? fallback)
}

/** The sentence of each refused field of a form; none when the refusal is not about fields. */
export function fieldProblems(error: unknown): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof Refusal)) return {}
  const { key, fields } = error
  if (isReadable(error) || !isProblemKey(key)) return fields
  const sentence = i18n.t(`problems.${key}`)
  return Object.fromEntries(Object.keys(fields).map((field) => [field, sentence]))
}

export function isRefusal(error: unknown, key: ProblemKey): boolean {
  return error instanceof Refusal && error.key === key
}

/** The call came from nobody we know: the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401 && error.key !== "invalid_credentials"
}

function isReadable(error: Refusal): boolean {
  return error.language === i18n.resolvedLanguage
}

function isProblemKey(key: string): key is ProblemKey {
  return key in problems
}
