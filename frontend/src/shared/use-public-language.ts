import { useEffect, useState } from "react"
import { detectLanguage, type Language, rememberLanguage } from "~/shared/language"

/**
 * The language of a page that the build has already written in Polish: Polish until it runs,
 * or React would find another text than it rendered; then the reader's.
 */
export function usePublicLanguage(): [Language, (language: Language) => void] {
  const [language, setLanguage] = useState<Language>("pl")

  useEffect(() => setLanguage(detectLanguage()), [])
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])

  return [
    language,
    (chosen) => {
      rememberLanguage(chosen)
      setLanguage(chosen)
    },
  ]
}
