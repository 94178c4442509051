/** Ties the words of all Polish texts in the built bundles; see src/lib/line-ends. */

import type { Plugin } from "vite"
import { tieWords } from "../src/lib/line-ends.ts"

const polishTexts = /\/(locales\/pl\/\w+|legal-documents\/pl\/[^/]+)\.json$/

/** Texts of the specification, which stay as they are. */
const literalTexts = new Set([
  "Brak danych o kategoriach",
  "Hasło musi mieć minimum 6 znaków",
  "Kod weryfikacyjny musi składać się z 6 cyfr",
  "Musisz zaakceptować Regulamin i Politykę Prywatności.",
  "Numer prawa jazdy musi być w formacie AA123456",
  "Numer telefonu musi być w formacie +48XXXXXXXXX",
  "Podaj ulicę i numer",
  "Strona {{page}} z {{pages}}",
  "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI",
  "Wiadomość musi mieć co najmniej 10 znaków",
])

/** Ties the words of every text of a catalogue. */
export function tieTexts(value: unknown): unknown {
  if (typeof value === "string") return literalTexts.has(value) ? value : tieWords(value)
  if (Array.isArray(value)) return value.map(tieTexts)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, tieTexts(item)]))
}

/** The catalogue files keep plain spaces; only the built bundles get no-break spaces. */
export function polishLineEnds(): Plugin {
  return {
    name: "polish-line-ends",
    enforce: "pre",
    transform(code, id) {
      if (!polishTexts.test(id)) return null
      return { code: JSON.stringify(tieTexts(JSON.parse(code))), map: null }
    },
  }
}
