/** The keys of the dashboard's rows: `J` and `K` go on and back, `O` takes the driver off the road. */

import type { KeyboardEvent } from "react"

/** What a row of the queue has; its first link takes the focus. */
export const queueRow = { "data-queue-row": "", onKeyDown: actByKey }

/** Acts within a row only, so that speech input cannot press a key by accident (WCAG 2.1.4). */
function actByKey(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as Element
  const isTyping = target.matches("textarea, input:not([type=checkbox])")
  const isElsewhere = !event.currentTarget.contains(target) // in a dialog that the row opened
  if (isTyping || isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return
  const rows = [...document.querySelectorAll("[data-queue-row]")]
  const index = rows.indexOf(event.currentTarget)
  const acts: Record<string, () => void> = {
    j: () => focusRow(rows[index + 1]),
    k: () => focusRow(rows[index - 1]),
    o: () => rows[index]?.querySelector<HTMLElement>("[data-act]")?.click(),
  }
  const act = acts[event.key.toLowerCase()]
  if (!act) return
  event.preventDefault() // else the note that opens would begin with the key
  act()
}

/**
 * Puts the focus on the first row with something to do, otherwise on the heading, once the list as it
 * is now is drawn: a row that was drawn before may move, and lose the focus.
 */
export function focusNextOpen(heading: HTMLElement | null): void {
  window.setTimeout(() => {
    const row = document.querySelector("[data-queue-row] [data-act]")?.closest("[data-queue-row]")
    if (row) focusRow(row)
    else heading?.focus()
  }, drawingTime)
}

/** Milliseconds. */
const drawingTime = 100

function focusRow(row: Element | undefined): void {
  row?.querySelector<HTMLElement>("a")?.focus()
}
