/**
 * Polish typography forbids one-letter words at line ends: in the running prose of the public pages
 * the build adds no-break spaces after them. All other texts stay to the letter.
 */

import type { Plugin } from "vite"

const publicCatalogue = /\/(locales\/pl\/(landing|testimonials)|legal-documents\/pl\/[^/]+)\.json$/
/** The keys of prose; titles, labels and messages have others. */
const proseKeys = new Set([
  "answer",
  "intro",
  "lead",
  "paragraphs",
  "points",
  "question",
  "text",
  "trial",
])
const oneLetterWord = /(?<=^|[\s(„>])([aiouwz]) (?=\S)/giu

export function tieOneLetterWords(text: string): string {
  return text.replace(oneLetterWord, "$1\u00a0")
}

/** Ties the one-letter words of a catalogue's prose. */
export function tieProse(value: unknown, key = ""): unknown {
  if (typeof value === "string") return proseKeys.has(key) ? tieOneLetterWords(value) : value
  if (Array.isArray(value)) return value.map((item) => tieProse(item, key))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, tieProse(item, name)]),
  )
}

/** The catalogue files keep plain spaces; only the built bundles get no-break spaces. */
export function polishLineEnds(): Plugin {
  return {
    name: "polish-line-ends",
    enforce: "pre",
    transform(code, id) {
      if (!publicCatalogue.test(id)) return null
      return { code: JSON.stringify(tieProse(JSON.parse(code))), map: null }
    },
  }
}
