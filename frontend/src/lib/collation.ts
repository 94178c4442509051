/** Sorting and searching of personal names by Polish rules. */

const collator = new Intl.Collator("pl", { sensitivity: "base", numeric: true })

export const compareNames = collator.compare

// The apostrophe of keyboards, the typographic ones, and characters that users type or paste instead.
const apostrophes = /['`´‘’‛ʹʼ′＇]/g

/**
 * The text without case, accents and apostrophes, so that "wojcik" finds "Wójcik", and "oneil" and
 * "O'Neil" find "O’Neil". The Polish ł has no decomposition, so it is replaced separately.
 */
export function normaliseForSearch(text: string): string {
  return text
    .replace(apostrophes, "")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ł", "l")
    .replace(/\s+/g, " ")
    .trim()
}
