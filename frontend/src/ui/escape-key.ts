/**
 * Escape closes the current dialog even while a toast is shown. Radix gives the key to whatever
 * opened last, so without this the first press would only dismiss the toast.
 */

import type { KeyboardEvent } from "react"

/** For a dialog's content. */
export function handleEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key === "Escape") close()
  }
}

/** For a toast: yields the key to an open dialog, unless the focus is in the toast. */
export function yieldEscapeToDialog(event: Event): void {
  const inToast = document.activeElement?.closest("[data-toast]")
  if (!inToast && document.querySelector('[data-modal][data-state="open"]')) event.preventDefault()
}
