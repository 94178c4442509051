/**
 * Escape closes the window one is in, also while a toast stands beside it. Radix gives the key to
 * whatever opened last, so without this the first press would only take the toast away.
 */

import type { KeyboardEvent } from "react"

/** For a window's content. */
export function onEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key === "Escape") close()
  }
}

/** For a toast: leaves the key to an open window, unless the focus is in the toast itself. */
export function leaveEscapeToWindow(event: Event): void {
  const inToast = document.activeElement?.closest("[data-toast]")
  if (!inToast && document.querySelector('[data-modal][data-state="open"]')) event.preventDefault()
}
