import { useRef } from "react"

/**
 * Where the focus is while a window is open: in its first field, where it has one; and where it
 * goes when the window closes: back to what opened it, or, where that is gone by now (the button
 * of a deleted row), to the screen's heading.
 */
export function useWindowFocus() {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = document.activeElement
      const content = event.currentTarget
      const field = content instanceof Element && content.querySelector("input")
      if (!field) return
      event.preventDefault()
      field.focus()
    },
    // Radix would look for a trigger of its own, and ours open their windows by state.
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (document.activeElement !== document.body) return // another screen has taken it
      const back = opener.current?.isConnected ? opener.current : document.querySelector("h1")
      if (back instanceof HTMLElement) back.focus()
    },
  }
}
