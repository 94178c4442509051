import type { Language } from "~/lib/language"

/** The address of the sample of the data-processing agreement. */
export function sampleAgreement(language: Language): string {
  return `/api/legal/data-processing-agreement?lang=${language}`
}
