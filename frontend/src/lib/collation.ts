/** Sorting and searching of personal names by Polish rules. */

const collator = new Intl.Collator("pl", { sensitivity: "base", numeric: true })

export const compareNames = collator.compare

/**
 * The text without case and accents, so that "wojcik" finds "Wójcik". The Polish ł has no
 * decomposition, so it is replaced separately.
 */
export function normaliseForSearch(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ł", "l")
    .replace(/\s+/g, " ")
    .trim()
}
