/** What has just happened, said once. The toaster shows it; an error also stands on the page itself. */

import { useSyncExternalStore } from "react"

export type Toast = {
  id: number
  title: string
  description?: string | undefined
  tone: "plain" | "error"
  open: boolean
}

/** At most so many at a time. */
export const toastLimit = 1
/** How long a dismissed one is kept before it is removed, in milliseconds. */
export const removedAfter = 1_000_000

let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

type NewToast = Pick<Toast, "title" | "description"> & { tone?: Toast["tone"] }

export function showToast({ tone = "plain", ...words }: NewToast): void {
  last += 1
  const toast: Toast = { ...words, tone, id: last, open: true }
  change([toast, ...toasts].slice(0, toastLimit))
}

export function dismissToast(id: number): void {
  change(toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)))
  window.setTimeout(() => change(toasts.filter((toast) => toast.id !== id)), removedAfter)
}

/** Takes every toast away at once: what they speak of is over. */
export function clearToasts(): void {
  change([])
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
