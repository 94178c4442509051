/**
 * Typed text: normalising, the search and the order of names, as the server does them. The table is
 * a copy of the server's (kit/text/letters.json).
 */

import * as v from "valibot"
import {
  alphabet,
  apostrophes,
  baseLetters,
  blanks,
  dashes,
  invisible,
  ligatures,
  wordBreaks,
} from "./letters.json"

const invisibleCharacters = new RegExp(`[${invisible}]`, "gu")
const allLigatures = new RegExp(`[${ligatures}]`, "gu")
const blankRuns = new RegExp(`[${blanks}]+`, "gu")
const allDashes = new RegExp(`[${dashes}]`, "gu")
const allApostrophes = new RegExp(`[${apostrophes}]`, "gu")

/**
 * The text in Unicode NFC, without invisible characters, ligatures and needless blanks, with the
 * dashes and apostrophes of keyboards. Line breaks stay.
 */
export function normaliseTyped(text: string): string {
  return text
    .replace(invisibleCharacters, "")
    .replace(allLigatures, (one) => one.normalize("NFKC"))
    .normalize("NFC")
    .replace(allDashes, "-")
    .replace(allApostrophes, "'")
    .replace(blankRuns, " ")
    .replace(/^ | $/g, "")
}

/** The text without the blanks and dashes that people write into numbers and codes. */
export function stripSeparators(text: string): string {
  return normaliseTyped(text).replace(/[\s-]+/g, "")
}

/** A line that people type: normalised before other rules look at it. */
export const vTyped = v.pipe(v.string(), v.transform(normaliseTyped), v.trim())

const baseOf = new Map(Object.entries(baseLetters))
const toBase = (letter: string) => baseOf.get(letter) ?? letter

/** The text as searches compare it: without case, accents and apostrophes. */
export function normaliseForSearch(text: string): string {
  const letters = normaliseTyped(text).replaceAll("'", "").toLowerCase().normalize("NFD")
  return Array.from(letters.replace(/\p{M}/gu, ""), toBase).join("")
}

const allWordBreaks = new RegExp(`[${wordBreaks}]+`, "u")

/** The words of a query: blanks, hyphens and commas separate them. */
export function searchWords(query: string): string[] {
  return normaliseForSearch(query).split(allWordBreaks).filter(Boolean)
}

const weights = new Map(
  Array.from(`0123456789${alphabet}`, (letter, rank) => [letter, String.fromCharCode(48 + rank)]),
)
const keys = new Map<string, string>()

/** Compares names in the Polish order; other Latin letters as their base letters, other scripts last. */
export function compareNames(name: string, other: string): number {
  const key = nameKey(name)
  const otherKey = nameKey(other)
  return key < otherKey ? -1 : key > otherKey ? 1 : 0
}

/** The name as `compareNames` compares it. */
export function nameKey(name: string): string {
  const known = keys.get(name)
  if (known !== undefined) return known
  const key = Array.from(name.toLowerCase().normalize("NFC"), weightsOf).join("")
  keys.set(name, key)
  return key
}

function weightsOf(letter: string): string {
  const own = weights.get(letter)
  if (own !== undefined) return own
  const base = baseOf.get(letter) ?? letter.normalize("NFD")
  return Array.from(base.replace(/[^\p{L}\p{N}]/gu, ""), (one) => weights.get(one) ?? one).join("")
}
