import { useRef } from "react"

/**
 * Where the focus goes when a window closes: back to what opened it, or, where that is gone by
 * now (the button of a deleted row), to the screen's heading.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      if (opener.current?.isConnected) return
      event.preventDefault()
      document.querySelector("h1")?.focus()
    },
  }
}
