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
    onCloseAutoFocus: (event: Event) => {
      if (opener.current?.isConnected) return
      event.preventDefault()
      document.querySelector("h1")?.focus()
    },
  }
}
