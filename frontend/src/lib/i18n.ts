/** The panel's translations. Public pages do not load this module: their texts are static. */

import { createInstance } from "i18next"
import { initReactI18next } from "react-i18next"
import { setRequestLanguage } from "./api-client"
import { detectLanguage, type Language, storeLanguage } from "./language"

/** The catalogues, with the same keys; a page loads only the one that it shows. */
const catalogues = {
  pl: () => import("./polish-catalogue"),
  en: () => import("./english-catalogue"),
}

export const i18n = createInstance()
i18n.use(initReactI18next)

if (typeof window !== "undefined") {
  storeLanguage(detectLanguage())
  setRequestLanguage(detectLanguage())
}

let loading: Promise<unknown> | undefined

/**
 * Loads the catalogue of the user's language, before any screen is drawn; retries after an error.
 */
export async function loadLanguage(): Promise<void> {
  loading ??= startTranslations(detectLanguage())
  try {
    await loading
  } catch (error) {
    loading = undefined
    throw error
  }
}

async function startTranslations(language: Language): Promise<void> {
  const { catalogue } = await catalogues[language]()
  await i18n.init({
    lng: language,
    fallbackLng: "pl",
    supportedLngs: ["pl", "en"],
    react: { transWrapTextNodes: "span" }, // as lib/jsx does for all other texts
    resources: { [language]: { translation: catalogue } },
    interpolation: { escapeValue: false },
  })
}

let chosen: Language | undefined

/** Switches the panel's language and stores the choice, as `showLanguage` otherwise. */
export async function changeLanguage(language: Language): Promise<boolean> {
  const isShown = await showLanguage(language)
  if (isShown) storeLanguage(language)
  return isShown
}

/**
 * Switches the panel's language; false if the user has chosen another one meanwhile. Rejects where
 * the catalogue cannot be loaded.
 */
export async function showLanguage(language: Language): Promise<boolean> {
  chosen = language
  const { catalogue } = await catalogues[language]()
  if (chosen !== language) return false
  i18n.addResourceBundle(language, "translation", catalogue)
  await i18n.changeLanguage(language)
  document.documentElement.lang = language
  setRequestLanguage(language)
  return true
}
