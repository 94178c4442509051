/** Polish and English. The choice is stored where the panel stores it, so that both agree. */

import polyglotI18nProvider from "ra-i18n-polyglot"
import type { I18nProvider } from "react-admin"
import { english } from "./i18n/en/index.ts"
import { polish } from "./i18n/pl/index.ts"

export type Language = "pl" | "en"

const STORAGE_KEY = "i18nextLng"
const catalogues = { pl: polish, en: english }

const toLanguage = (tag: string | null | undefined): Language | null => {
  const code = tag?.slice(0, 2).toLowerCase()
  return code === "pl" || code === "en" ? code : null
}

/** The panel's order: local storage, then the browser, else Polish. */
function detectLanguage(): Language {
  return toLanguage(localStorage.getItem(STORAGE_KEY)) ?? toLanguage(navigator.language) ?? "pl"
}

const polyglot = polyglotI18nProvider(
  (locale) => catalogues[toLanguage(locale) ?? "pl"],
  detectLanguage(),
  [
    { locale: "pl", name: "Polski" },
    { locale: "en", name: "English" },
  ],
  { allowMissing: true },
)

export const i18nProvider: I18nProvider = {
  ...polyglot,
  changeLocale: (locale) => {
    localStorage.setItem(STORAGE_KEY, locale)
    document.documentElement.lang = locale
    return polyglot.changeLocale(locale)
  },
}

document.documentElement.lang = detectLanguage()

export const currentLocale = () => toLanguage(i18nProvider.getLocale()) ?? "pl"
