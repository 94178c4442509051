/** The user's language: the stored choice, else the browser's preference, else Polish. */

export const languages = ["pl", "en"] as const
export type Language = (typeof languages)[number]

const storageKey = "i18nextLng"

function toLanguage(tag: string | null | undefined): Language | undefined {
  const base = tag?.toLowerCase().split("-")[0]
  return languages.find((language) => language === base)
}

export function detectLanguage(): Language {
  if (typeof window === "undefined") return "pl"
  const stored = toLanguage(readStoredLanguage())
  if (stored) return stored
  for (const tag of navigator.languages ?? [navigator.language]) {
    const language = toLanguage(tag)
    if (language) return language
  }
  return "pl"
}

/** The same for an inline script: sets the variable `language`. */
export const detectLanguageScript = `const base=tag=>String(tag).toLowerCase().split("-")[0];let stored;try{stored=localStorage.getItem("${storageKey}")}catch{}const language=[stored,...(navigator.languages??[navigator.language])].map(base).find(tag=>tag==="pl"||tag==="en")??"pl";`

export function storeLanguage(language: Language): void {
  document.documentElement.lang = language
  try {
    window.localStorage.setItem(storageKey, language)
  } catch {
    // Without storage the language is kept until the page is left.
  }
}

function readStoredLanguage(): string | null {
  try {
    return window.localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
