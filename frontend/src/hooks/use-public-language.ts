import { useEffect, useState } from "react"
import { detectLanguage, type Language, storeLanguage } from "~/lib/language"

/**
 * The language of a prerendered page: Polish during hydration, as the build rendered it, or React
 * would report a mismatch; then the user's. A page with a `fixed` language keeps it.
 */
export function usePublicLanguage(fixed?: Language): [Language, (language: Language) => void] {
  const [language, setLanguage] = useState<Language>(fixed ?? "pl")

  useEffect(() => {
    if (fixed) return
    const detected = detectLanguage()
    storeLanguage(detected)
    setLanguage(detected)
  }, [fixed])
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])

  return [
    language,
    (selected) => {
      storeLanguage(selected)
      setLanguage(selected)
    },
  ]
}
