/** Names of people, ordered and found the way a Polish reader expects. */

const collator = new Intl.Collator("pl", { sensitivity: "base", numeric: true })

export const compareNames = collator.compare

/**
 * The text as search compares it: small letters, no accents, so that "wojcik" finds "Wójcik".
 * The Polish ł has no accent to take off and is spelt out.
 */
export function searchable(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ł", "l")
    .replace(/\s+/g, " ")
    .trim()
}
