/** The store of toasts, which the toaster renders. Errors are also shown on the page itself. */

export type Toast = {
  id: number
  title: string
  description?: string | undefined
  /** A second line. */
  detail?: string | undefined
  /** `notice` is neutral: neither a success nor an error. */
  tone: "plain" | "notice" | "error"
  open: boolean
  action?: ToastAction | undefined
}

/**
 * An action that undoes what the toast reports, while the toast is shown. `onExpire` runs when the
 * toast is closed without it.
 */
type ToastAction = { label: string; onUndo: () => void; onExpire: () => void }

/** The number of toasts shown at a time. */
export const toastLimit = 1
/** Milliseconds for which a dismissed toast is kept before it is removed. */
export const toastRemoveDelay = 1_000_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setToasts(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

export type ToastContent = Pick<Toast, "title" | "description" | "detail" | "action"> & {
  tone?: Toast["tone"]
}

export function showToast({ tone = "plain", ...content }: ToastContent): void {
  lastId += 1
  const toast: Toast = { ...content, tone, id: lastId, open: true }
  const shown = [toast, ...toasts]
  setToasts(shown.slice(0, toastLimit))
  for (const replaced of shown.slice(toastLimit)) expire(replaced)
}

/** Takes back what a toast reports, and removes the toast. */
export function undoToast({ id, action }: Toast): void {
  setToasts(toasts.filter((toast) => toast.id !== id))
  action?.onUndo()
}

export function dismissToast(id: number): void {
  const dismissed = toasts.find((toast) => toast.id === id)
  setToasts(toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)))
  window.setTimeout(() => setToasts(toasts.filter((toast) => toast.id !== id)), toastRemoveDelay)
  if (dismissed) expire(dismissed)
}

/** Calls `onExpire` of a toast, once. */
function expire(toast: Toast): void {
  if (toast.open) toast.action?.onExpire()
}

/** Removes all toasts at once, when they no longer apply. */
export function clearToasts(): void {
  const cleared = toasts
  setToasts([])
  for (const toast of cleared) expire(toast)
}

/** Calls the listener after each change; returns a function to stop. */
export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentToasts(): readonly Toast[] {
  return toasts
}
