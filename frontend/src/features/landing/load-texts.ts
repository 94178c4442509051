import type { Language } from "~/lib/language"
import type { LandingTexts } from "./texts"

const loaders: Record<Language, () => Promise<LandingTexts>> = {
  pl: async () => (await import("./polish-texts")).polishTexts,
  en: async () => (await import("./english-texts")).englishTexts,
}

export function loadLandingTexts(language: Language): Promise<LandingTexts> {
  return loaders[language]()
}
