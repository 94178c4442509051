/**
 * A prerendered Polish page stays hidden from a visitor who reads English until it is English: it
 * would be seen to change its language and to move.
 */

import { detectLanguage, detectLanguageScript, type Language } from "./language"

/** Inline script of a Polish page: marks the document as `detectLanguage` decides. */
export const pendingLanguageScript = `{${detectLanguageScript}if(language==="en")document.documentElement.dataset.pendingLanguage=""}`

/** Shows the page once it is in the visitor's language. */
export function revealInLanguage(shown: Language): void {
  if (shown === detectLanguage()) delete document.documentElement.dataset.pendingLanguage
}
