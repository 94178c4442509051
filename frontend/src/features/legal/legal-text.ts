/** The texts of the legal documents, by name, language and version. */

import privacy from "~/legal-documents/pl/privacy-2026-11-22.json"
import terms from "~/legal-documents/pl/terms-2026-11-22.json"
import publishedVersions from "~/legal-documents/versions.json"
import type { Language } from "~/lib/language"

export type LegalDocumentName = "terms" | "privacy"

/** A list is the lettered items of the numbered paragraph before it. */
export type LegalText = {
  version: string
  title: string
  sections: { title: string; text: (string | string[])[] }[]
}

/** Where the pages get their texts; tests have one of their own. */
export type LegalLibrary = {
  /** The versions by document, the current one first. */
  versions: Record<LegalDocumentName, string[]>
  /** The current Polish texts, which the build renders. */
  prerendered: Record<LegalDocumentName, LegalText>
  load: (name: LegalDocumentName, language: Language, version: string) => Promise<LegalText>
}

const files = import.meta.glob<LegalText>("../../legal-documents/{pl,en}/*.json", {
  import: "default",
})

export const publishedLibrary: LegalLibrary = {
  versions: publishedVersions,
  prerendered: { terms, privacy },
  load: async (name, language, version) => {
    const load = files[`../../legal-documents/${language}/${name}-${version}.json`]
    if (!load) throw new Error(`there is no ${name} of ${version} in ${language}`)
    return load()
  },
}
