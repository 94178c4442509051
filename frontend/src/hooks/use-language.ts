import { useTranslation } from "react-i18next"
import type { Language } from "~/lib/language"

export function useLanguage(): Language {
  return useTranslation().i18n.resolvedLanguage === "en" ? "en" : "pl"
}
