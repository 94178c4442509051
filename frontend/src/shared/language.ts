/** The reader's language: what they chose before, then what their browser asks for, else Polish. */

export const languages = ["pl", "en"] as const
export type Language = (typeof languages)[number]

const remembered = "i18nextLng"

function known(tag: string | null | undefined): Language | undefined {
  const base = tag?.toLowerCase().split("-")[0]
  return languages.find((language) => language === base)
}

export function detectLanguage(): Language {
  if (typeof window === "undefined") return "pl"
  const chosen = known(stored())
  if (chosen) return chosen
  for (const tag of navigator.languages ?? [navigator.language]) {
    const language = known(tag)
    if (language) return language
  }
  return "pl"
}

export function rememberLanguage(language: Language): void {
  document.documentElement.lang = language
  try {
    window.localStorage.setItem(remembered, language)
  } catch {
    // A browser that stores nothing still gets the language until it leaves the page.
  }
}

function stored(): string | null {
  try {
    return window.localStorage.getItem(remembered)
  } catch {
    return null
  }
}
