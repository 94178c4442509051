/** The panel's translations. Public pages do not load this module: their texts are static. */

import { createInstance } from "i18next"
import { initReactI18next } from "react-i18next"
import { setRequestLanguage } from "~/lib/api-client"
import { english, polish } from "~/lib/catalogues"
import { detectLanguage, type Language, storeLanguage } from "~/lib/language"

export const i18n = createInstance()

void i18n.use(initReactI18next).init({
  lng: detectLanguage(),
  fallbackLng: "pl",
  supportedLngs: ["pl", "en"],
  resources: { pl: { translation: polish }, en: { translation: english } },
  interpolation: { escapeValue: false },
  initAsync: false,
})

if (typeof window !== "undefined") applyLanguage(i18n.language as Language)

/** Switches the panel's language and stores the choice. */
export async function changeLanguage(language: Language): Promise<void> {
  await i18n.changeLanguage(language)
  applyLanguage(language)
}

function applyLanguage(language: Language): void {
  storeLanguage(language)
  setRequestLanguage(language)
}
