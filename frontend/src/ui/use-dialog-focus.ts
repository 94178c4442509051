import { useRef } from "react"

/**
 * The focus of a dialog: on opening its first field, if any; on closing the element that opened it
 * or, if that is gone (such as the button of a deleted row), the screen's heading.
 */
export function useDialogFocus() {
  const trigger = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      trigger.current = document.activeElement
      const content = event.currentTarget
      const field =
        content instanceof Element && content.querySelector<HTMLElement>("input, textarea")
      if (!field) return
      event.preventDefault()
      field.focus()
    },
    // Radix restores the focus to its own trigger, but our dialogs are opened by state.
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (document.activeElement !== document.body) return // another screen has taken the focus
      const restoreTarget = trigger.current?.isConnected
        ? trigger.current
        : document.querySelector("h1")
      if (restoreTarget instanceof HTMLElement) restoreTarget.focus()
    },
  }
}
