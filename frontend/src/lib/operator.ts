/**
 * The operator's details. The build renders placeholders; the server replaces them in the pages,
 * and writes all details as JSON into the element `operator`, so that the application renders the
 * same texts.
 */

import type { Language } from "./language"

export const operatorElementId = "operator"
const placeholder = "__OPERATOR__"

type OperatorDetail = { text: string; isMissing: boolean }

/** The details that no variable of the server sets, and the texts of all by language. */
export type Operator = { missing: string[] } & Record<Language, Record<string, string>>

/** The content of the element: the server's, or the placeholder for it. */
export function operatorJson(): string {
  if (typeof document === "undefined") return placeholder
  return document.getElementById(operatorElementId)?.textContent ?? placeholder
}

/** Null while the page is built, and in development, where no server fills it in. */
export function readOperator(): Operator | null {
  try {
    return JSON.parse(operatorJson())
  } catch {
    return null
  }
}

export function operatorDetail(
  operator: Operator | null,
  name: string,
  language: Language,
): OperatorDetail {
  const text = operator?.[language][name]
  if (text === undefined) return { text: `__OPERATOR_${name.toUpperCase()}__`, isMissing: false }
  return { text, isMissing: operator?.missing.includes(name) ?? false }
}
