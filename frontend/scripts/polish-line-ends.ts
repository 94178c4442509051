/** Polish lets no line end in a one-letter word: the build ties each to the word behind it. */

import type { Plugin } from "vite"

const polishCatalogue = /\/locales\/pl\/[^/]+\.json$/
const oneLetterWord = /(?<=^|[\s(„>])([aiouwz]) (?=\S)/giu

export function tieOneLetterWords(text: string): string {
  return text.replace(oneLetterWord, "$1\u00a0")
}

/** The files keep their plain blanks; what the screens get does not. */
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
