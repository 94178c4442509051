import type { Language } from "~/lib/language"
import type landing from "~/locales/pl/landing.json"
import type testimonials from "~/locales/pl/testimonials.json"
import type { ShellTexts } from "~/ui/public-shell"

/** The texts of the landing page in one language. Each language is a module of its own. */
export type LandingTexts = typeof landing & {
  language: Language
  shell: ShellTexts
  opinions: typeof testimonials
}

const loaders: Record<Language, () => Promise<LandingTexts>> = {
  pl: async () => (await import("./polish-texts")).polishTexts,
  en: async () => (await import("./english-texts")).englishTexts,
}

export function loadLandingTexts(language: Language): Promise<LandingTexts> {
  return loaders[language]()
}
