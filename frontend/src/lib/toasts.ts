/**
 * The store of toasts, which the toaster renders one at a time, each for its time. Errors are also
 * shown on the page itself.
 */

export type Toast = {
  id: number
  title: string
  description?: string | undefined
  /** A second line. */
  detail?: string | undefined
  /** `notice` is neutral: neither a success nor an error. */
  tone: "plain" | "notice" | "error"
  state: "waiting" | "shown" | "dismissed"
  action?: ToastAction | undefined
  /** Not the outcome of a call, which does not wait for it. */
  isNews?: boolean
}

/**
 * An action that undoes what the toast reports, while the toast is shown. `onExpire` runs when the
 * toast is closed without it.
 */
export type ToastAction = { label: string; onUndo: () => void; onExpire?: () => void }

/** The number of toasts shown at a time. */
export const toastLimit = 1
/** Milliseconds for which a dismissed toast is kept before it is removed. */
export const toastRemoveDelay = 1_000_000

/** Milliseconds for which a toast stays although the user has gone on to something else. */
const shortest = { plain: 2000, withAction: 5000 }

let toasts: readonly Toast[] = []
let lastId = 0
let shownAt = 0
let lastInputAt = 0
const listeners = new Set<() => void>()

if (typeof window !== "undefined") {
  for (const event of ["pointerdown", "keydown"] as const) {
    window.addEventListener(event, () => (lastInputAt = performance.now()), { capture: true })
  }
}

/** Stores the toasts, and shows the next one where none is shown. */
function setToasts(next: readonly Toast[]): void {
  const isShown = next.some(({ state }) => state === "shown")
  const first = isShown ? undefined : next.find(({ state }) => state === "waiting")
  if (first) shownAt = performance.now()
  toasts = next.map((toast) => (toast === first ? { ...toast, state: "shown" } : toast))
  for (const listener of listeners) listener()
}

export type ToastContent = Pick<Toast, "title" | "description" | "detail" | "action" | "isNews"> & {
  tone?: Toast["tone"]
}

/**
 * Shows a toast once the present one has had its time. The outcome of a call does not wait that long
 * for news, nor if the user has gone on since. It takes the place of a toast with the same texts.
 */
export function showToast({ tone = "plain", ...content }: ToastContent): void {
  lastId += 1
  const toast: Toast = { ...content, tone, id: lastId, state: "waiting" }
  const replaced = toasts.find((one) => one.state !== "dismissed" && hasSameTexts(one, toast))
  const others = toasts.filter((one) => one !== replaced)
  const shown = others.find(({ state }) => state === "shown")
  const isAnswer = shown && !toast.isNews && (shown.isNews || lastInputAt > shownAt)
  setToasts(isAnswer ? [toast, ...others] : [...others, toast])
  if (isAnswer) {
    const time = shown.action ? shortest.withAction : shortest.plain
    window.setTimeout(() => dismissToast(shown.id), shownAt + time - performance.now())
  }
  replaced?.action?.onExpire?.()
}

function hasSameTexts(one: Toast, other: Toast): boolean {
  const texts = (toast: Toast) =>
    [toast.tone, toast.title, toast.description, toast.detail].join("\n")
  return texts(one) === texts(other)
}

/** Takes back what a toast reports, and removes the toast. */
export function undoToast({ id, action }: Toast): void {
  setToasts(toasts.filter((toast) => toast.id !== id))
  action?.onUndo()
}

export function dismissToast(id: number): void {
  const shown = toasts.find((toast) => toast.id === id && toast.state === "shown")
  if (!shown) return
  setToasts(toasts.map((toast) => (toast === shown ? { ...toast, state: "dismissed" } : toast)))
  window.setTimeout(() => setToasts(toasts.filter((toast) => toast.id !== id)), toastRemoveDelay)
  shown.action?.onExpire?.()
}

/** Removes all toasts at once, when they no longer apply. */
export function clearToasts(): void {
  const cleared = toasts.filter(({ state }) => state !== "dismissed")
  setToasts([])
  for (const toast of cleared) toast.action?.onExpire?.()
}

/** Calls the listener after each change; returns a function to stop. */
export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentToasts(): readonly Toast[] {
  return toasts
}
