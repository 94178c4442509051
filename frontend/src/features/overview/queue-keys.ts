/** The keys of the dashboard's rows: `J` and `K` go on and back, `O` takes the driver off the road. */

import { useShortcuts } from "~/hooks/use-shortcuts"

/**
 * The keys of the page. Without a row that has the focus, `J` and `O` begin at the first row with
 * something to do and `K` at the last one. An open driver has keys of its own.
 */
export function useQueueKeys(isDriverOpen: boolean): void {
  const step = (by: 1 | -1) => {
    const rows = findRows()
    const current = rows.find((row) => row.contains(document.activeElement))
    if (current) return focusRow(rows[rows.indexOf(current) + by])
    const open = rows.filter(findAct)
    focusRow((open.length > 0 ? open : rows).at(by === 1 ? 0 : -1))
  }
  const act = () => {
    const rows = findRows()
    const row = rows.find((one) => one.contains(document.activeElement)) ?? rows.find(findAct)
    findAct(row)?.click()
  }
  useShortcuts(isDriverOpen ? {} : { j: () => step(1), k: () => step(-1), o: act })
}

/**
 * Puts the focus on the next row with something to do, otherwise on the first such row or on the
 * heading, once the list as it is now is drawn.
 *
 * @param driverId Of the row that is done; without it the next row is the first one.
 */
export function focusNextOpen(heading: HTMLElement | null, driverId?: string): void {
  window.setTimeout(() => {
    const rows = findRows()
    const done = rows.findIndex(({ dataset }) => dataset.queueRow === driverId)
    const row = [...rows.slice(done + 1), ...rows].find(findAct)
    if (row) focusRow(row)
    else heading?.focus()
  }, drawingTime)
}

/** Milliseconds. */
const drawingTime = 100

function focusRow(row: Element | undefined): void {
  row?.querySelector<HTMLElement>("a")?.focus({ preventScroll: true })
  row?.scrollIntoView?.({ block: "nearest" })
}

const findRows = () => [...document.querySelectorAll<HTMLElement>("[data-queue-row]")]
const findAct = (row: Element | undefined) => row?.querySelector<HTMLElement>("[data-act]")
