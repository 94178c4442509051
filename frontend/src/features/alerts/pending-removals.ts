/**
 * Removed notifications, which the server is only asked to delete when the removal cannot be undone
 * any more: it has no way back. Until then they are hidden here.
 */

import { useSyncExternalStore } from "react"

/** Hidden, or shown again with the error of a deletion that failed. */
type Removal = "hidden" | { error: unknown }

let removals: ReadonlyMap<string, Removal> = new Map()
const listeners = new Set<() => void>()

export function setRemoval(id: string, removal: Removal | null): void {
  const next = new Map(removals)
  if (removal) next.set(id, removal)
  else next.delete(id)
  removals = next
  for (const listener of listeners) listener()
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
