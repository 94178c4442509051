import { useEffect, useState } from "react"
import type { Language } from "~/lib/language"
import type { LandingTexts } from "./texts"

const loaders: Record<Language, () => Promise<LandingTexts>> = {
  pl: async () => (await import("./polish-texts")).polishTexts,
  en: async () => (await import("./english-texts")).englishTexts,
}

export function loadLandingTexts(language: Language): Promise<LandingTexts> {
  return loaders[language]()
}

/**
 * The texts in `language`. While they are loaded, and when they cannot be, the page keeps those it
 * has; undefined if it has none yet.
 */
export function useLandingTexts(
  language: Language,
  prerendered: LandingTexts | undefined,
): LandingTexts | undefined {
  const [texts, setTexts] = useState(prerendered)
  const [failure, setFailure] = useState<unknown>()
  const isCurrent = texts?.language === language

  useEffect(() => {
    if (isCurrent) return
    let isStale = false
    loadLandingTexts(language).then((loaded) => !isStale && setTexts(loaded), setFailure)
    return () => {
      isStale = true
    }
  }, [language, isCurrent])

  if (failure && !texts) throw failure
  return texts
}
