/**
 * A flag in the browser's storage: this browser had a session when it was last seen. It grants
 * nothing; it only keeps the landing page from flashing on `/` before the dashboard replaces it.
 */

const storageKey = "prawko.signed-in"
const hiddenClass = "signed-in"

/** Inline script that hides the landing page before the first paint. */
export const hideLandingPageScript = `try{location.pathname==="/"&&localStorage.getItem("${storageKey}")&&document.documentElement.classList.add("${hiddenClass}")}catch{}`

export function revealLandingPage(): void {
  document.documentElement.classList.remove(hiddenClass)
}

export function hasSignedInHint(): boolean {
  try {
    return window.localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}

export function storeSignedInHint(signedIn: boolean): void {
  try {
    if (signedIn) window.localStorage.setItem(storageKey, "1")
    else window.localStorage.removeItem(storageKey)
  } catch {
    // Without storage the landing page flashes before the dashboard appears.
  }
}
