import { useSyncExternalStore } from "react"

/** From here on (1024 px) the menu stands beside the screen, and an open driver beside the list. */
export const wideScreens = "(min-width: 64rem)"

/** Whether the window fits a media query, or the paper, for which the page is drawn anew. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query)
      list.addEventListener("change", onChange)
      return () => list.removeEventListener("change", onChange)
    },
    () => window.matchMedia(query).matches,
  )
}
