/**
 * Where a long Polish name may be broken. Browsers do not hyphenate names by themselves: they have
 * no Polish dictionary, or skip words with a capital letter.
 */

const shortestWord = 8
const fewestLetters = 3

// Letters that stay together: of one sound, as in "brz", or with an i that only softens them.
const sounds = /(?:[bdfgkptw]?(?:rz|r|l|ł)|ch|cz|dz|dź|dż|sz|[^aąeęioóuy])(?:i(?=[aąeęoóuy]))?|./gu
const vowel = /^[aąeęioóuy]/u

/** The parts of the text between which a hyphen may stand; joined they are the text again. */
export function hyphenate(text: string): string[] {
  if (text.length < shortestWord) return [text] // most names, some hundred on a page
  const points = [...text.matchAll(/[\p{L}\p{M}]+/gu)].flatMap(({ 0: word, index }) =>
    word.length < shortestWord ? [] : syllableEnds(word).map((end) => index + end),
  )
  return [...points, text.length].map((end, at) => text.slice(points[at - 1] ?? 0, end))
}

/**
 * The ends of the syllables: before the only consonant between two vowels, or after the first of
 * several.
 */
function syllableEnds(word: string): number[] {
  const letters = word.toLowerCase()
  const starts = [...letters.matchAll(sounds)].map(({ index }) => index)
  const kinds = starts.map((start) => (vowel.test(letters.slice(start)) ? "v" : "c")).join("")
  return [...kinds.matchAll(/v(?=cv)|vc(?=c+v)/g)]
    .map(({ 0: syllable, index }) => starts[index + syllable.length] ?? 0)
    .filter((end) => end >= fewestLetters && word.length - end >= fewestLetters)
}
