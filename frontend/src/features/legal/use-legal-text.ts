import { useEffect, useState } from "react"
import type { Language } from "~/lib/language"
import { revealInLanguage } from "~/lib/pending-language"
import type { LegalDocumentName, LegalLibrary, LegalText } from "./legal-text"

type ShownText = { text: LegalText; language: Language }

/**
 * The text in the reader's language, in the version that the address asks for: during hydration
 * the current Polish one, as the build rendered it, and until another one has loaded.
 */
export function useLegalText(
  name: LegalDocumentName,
  language: Language,
  { versions, prerendered, load }: LegalLibrary,
): ShownText {
  const current: ShownText = { text: prerendered[name], language: "pl" }
  const [shown, setShown] = useState(current)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the library never changes
  useEffect(() => {
    let isOutdated = false
    const asked = new URLSearchParams(window.location.search).get("version")
    const version = versions[name].find((one) => one === asked) ?? versions[name][0]
    if (!version || (language === "pl" && version === prerendered[name].version)) {
      setShown(current)
      return
    }
    load(name, language, version).then(
      (text) => {
        if (!isOutdated) setShown({ text, language })
      },
      () => {
        // Offline the text stays as it is; the switch tries again.
      },
    )
    return () => {
      isOutdated = true
    }
  }, [name, language])

  useEffect(() => revealInLanguage(shown.language), [shown.language])

  return shown
}
