/** The store of toasts, which the toaster renders. Errors are also shown on the page itself. */

import { useSyncExternalStore } from "react"

export type Toast = {
  id: number
  title: string
  description?: string | undefined
  tone: "plain" | "error"
  open: boolean
}

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

type ToastContent = Pick<Toast, "title" | "description"> & { tone?: Toast["tone"] }

export function showToast({ tone = "plain", ...content }: ToastContent): void {
  lastId += 1
  const toast: Toast = { ...content, tone, id: lastId, open: true }
  setToasts([toast, ...toasts].slice(0, toastLimit))
}

export function dismissToast(id: number): void {
  setToasts(toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)))
  window.setTimeout(() => setToasts(toasts.filter((toast) => toast.id !== id)), toastRemoveDelay)
}

/** Removes all toasts at once, when they no longer apply. */
export function clearToasts(): void {
  setToasts([])
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
    () => toasts,
  )
}
