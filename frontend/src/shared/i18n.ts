/** The panel's languages. Public pages do without this module: their texts are few and static. */

import { createInstance } from "i18next"
import { initReactI18next } from "react-i18next"
import { speakToServerIn } from "~/shared/api-client"
import { english, polish } from "~/shared/catalogues"
import { detectLanguage, type Language, rememberLanguage } from "~/shared/language"

export const i18n = createInstance()

void i18n.use(initReactI18next).init({
  lng: detectLanguage(),
  fallbackLng: "pl",
  supportedLngs: ["pl", "en"],
  resources: { pl: { translation: polish }, en: { translation: english } },
  interpolation: { escapeValue: false },
  initAsync: false,
})

if (typeof window !== "undefined") follow(i18n.language as Language)

/** Switch every text of the panel, and remember the choice. */
export async function changeLanguage(language: Language): Promise<void> {
  await i18n.changeLanguage(language)
  follow(language)
}

function follow(language: Language): void {
  rememberLanguage(language)
  speakToServerIn(language)
}
