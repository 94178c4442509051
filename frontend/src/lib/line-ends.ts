/**
 * Polish typography forbids one-letter words at line ends, and a number should stay with what it
 * counts. The texts themselves have plain spaces: the build ties those of the catalogues (see
 * scripts/polish-line-ends), the screens those that the server sends.
 */

const oneLetterWord = /(?<=^|[\s(„>])([aiouwz]) (?=\S)/giu
const count = /(?<=^|[\s(])(\d{1,3}|\{\{count\}\}) (?=\p{Ll}{2})/gu

/** The text with no-break spaces after one-letter words and counts. */
export function tieWords(text: string): string {
  return text.replace(oneLetterWord, "$1\u00a0").replace(count, "$1\u00a0")
}
