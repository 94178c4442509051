/**
 * Removed notifications, which the server is only asked to delete when the removal cannot be undone
 * any more: it has no way back. Until then they are hidden here, and also while the server has not
 * confirmed the deletion: after a reload the new page may read the list before that.
 */

import { useSyncExternalStore } from "react"

/** Hidden, or shown again with the error of a deletion that failed. */
type Removal = "hidden" | { error: unknown }

const storageKey = "prawko.deletions"

let removals: ReadonlyMap<string, Removal> = new Map()
const listeners = new Set<() => void>()

export function setRemoval(id: string, removal: Removal | null): void {
  const next = new Map(removals)
  if (removal) next.set(id, removal)
  else next.delete(id)
  removals = next
  for (const listener of listeners) listener()
}

/** The deletions that the server was asked for and has not confirmed, by this tab. */
export function deletionsUnderWay(): string[] {
  try {
    return JSON.parse(window.sessionStorage.getItem(storageKey) ?? "[]")
  } catch {
    return [] // storage is blocked
  }
}

export function setUnderWay(id: string, isUnderWay: boolean): void {
  const ids = deletionsUnderWay().filter((one) => one !== id)
  try {
    window.sessionStorage.setItem(storageKey, JSON.stringify(isUnderWay ? [...ids, id] : ids))
  } catch {
    // Storage is blocked or full: a reload may show the row until the next one.
  }
}

export function useRemovals(): ReadonlyMap<string, Removal> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => removals,
    () => removals,
  )
}
