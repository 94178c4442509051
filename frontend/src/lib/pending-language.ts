/**
 * A prerendered Polish page is hidden from a visitor who reads English until its English texts are
 * loaded. Otherwise the visitor would see the language change and the page move.
 */

import { detectLanguage, detectLanguageScript, type Language } from "./language"

/** Inline script of a Polish page: marks the document as `detectLanguage` decides. */
export const pendingLanguageScript = `{${detectLanguageScript}if(language==="en")document.documentElement.dataset.pendingLanguage=""}`

/** Shows the page once it is in the visitor's language. */
export function revealInLanguage(shown: Language): void {
  if (shown === detectLanguage()) delete document.documentElement.dataset.pendingLanguage
}
