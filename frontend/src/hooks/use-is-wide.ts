import { useSyncExternalStore } from "react"

/** From here on (1024 px) the menu stands beside the screen, and an open driver beside the list. */
const wideScreens = "(min-width: 64rem)"

/** Whether the window is wide enough for two things beside each other. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(wideScreens).matches)
}

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(wideScreens)
  query.addEventListener("change", onChange)
  return () => query.removeEventListener("change", onChange)
}
