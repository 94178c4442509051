/** How a refusal is said to people. */

import type { TFunction } from "i18next"
import problems from "~/locales/pl/problems.json"
import { Refusal } from "~/shared/refusal"

type ProblemKey = keyof typeof problems

/**
 * The sentence of a refusal: the server's own, else the catalogue's for its key, else `fallback`.
 *
 * A 5xx without a sentence of its own says nothing a reader can use, so it gets the fallback.
 */
export function problemSentence(t: TFunction, error: unknown, fallback: string): string {
  if (!(error instanceof Refusal)) return fallback
  if (error.sentence) return error.sentence
  return isProblemKey(error.key) ? t(`problems.${error.key}`) : fallback
}

/** The sentence of each refused field of a form; none when the refusal is not about fields. */
export function fieldProblems(error: unknown): Readonly<Record<string, string | undefined>> {
  return error instanceof Refusal ? error.fields : {}
}

export function isRefusal(error: unknown, key: ProblemKey): boolean {
  return error instanceof Refusal && error.key === key
}

/** The call came from nobody we know: the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401 && error.key !== "invalid_credentials"
}

function isProblemKey(key: string): key is ProblemKey {
  return key in problems
}
