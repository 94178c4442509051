/**
 * A prerendered Polish page stays hidden from a visitor who reads English until it is English: it
 * would be seen to change its language and to move.
 */

import { detectLanguage, type Language, storageKey } from "~/lib/language"

/** Inline script of a Polish page: marks the document as `detectLanguage` decides. */
export const pendingLanguageScript = `{const base=tag=>String(tag).toLowerCase().split("-")[0];let stored;try{stored=localStorage.getItem("${storageKey}")}catch{}const tag=[stored,...(navigator.languages??[navigator.language])].map(base).find(tag=>tag==="pl"||tag==="en");if(tag==="en")document.documentElement.dataset.pendingLanguage=""}`

/** Shows the page once it is in the visitor's language. */
export function revealInLanguage(shown: Language): void {
  if (shown === detectLanguage()) delete document.documentElement.dataset.pendingLanguage
}
