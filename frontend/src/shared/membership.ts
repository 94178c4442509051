/**
 * A word in the browser's storage: somebody was signed in here. It decides nothing. It only keeps
 * the landing page from flashing up, on `/`, before the dashboard takes its place.
 */

const word = "prawko.member"
const hidden = "member"

/** Runs while the page is still being read, before anything of it is painted. */
export const hideFromMembers = `try{location.pathname==="/"&&localStorage.getItem("${word}")&&document.documentElement.classList.add("${hidden}")}catch{}`

export function showToVisitors(): void {
  document.documentElement.classList.remove(hidden)
}

export function rememberMember(signedIn: boolean): void {
  try {
    if (signedIn) window.localStorage.setItem(word, "1")
    else window.localStorage.removeItem(word)
  } catch {
    // Then the landing page flashes up.
  }
}
