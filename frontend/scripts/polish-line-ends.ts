/**
 * Polish typography forbids one-letter words at line ends: the build adds no-break spaces after
 * them.
 */

import type { Plugin } from "vite"

const polishCatalogue = /\/(locales|legal-documents)\/pl\/[^/]+\.json$/
const oneLetterWord = /(?<=^|[\s(„>])([aiouwz]) (?=\S)/giu

export function tieOneLetterWords(text: string): string {
  return text.replace(oneLetterWord, "$1\u00a0")
}

/** The catalogue files keep plain spaces; only the built bundles get no-break spaces. */
export function polishLineEnds(): Plugin {
  return {
    name: "polish-line-ends",
    enforce: "pre",
    transform(code, id) {
      if (!polishCatalogue.test(id)) return null
      const tied = (_: string, value: unknown) =>
        typeof value === "string" ? tieOneLetterWords(value) : value
      return { code: JSON.stringify(JSON.parse(code, tied)), map: null }
    },
  }
}
