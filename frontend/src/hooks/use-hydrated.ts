import { useSyncExternalStore } from "react"

const subscribe = () => () => {}

/** False while the prerendered HTML is being hydrated, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
