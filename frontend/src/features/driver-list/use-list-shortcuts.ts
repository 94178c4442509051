import { useEffect, useRef } from "react"

type Shortcuts = Record<string, () => void>

/**
 * Calls what belongs to a key pressed alone: not while somebody types, and not behind a dialog.
 */
export function useListShortcuts(shortcuts: Shortcuts, enabled: boolean): void {
  const current = useRef(shortcuts)
  current.current = shortcuts

  useEffect(() => {
    if (!enabled) return
    const handleKey = (event: KeyboardEvent) => {
      const act = current.current[event.key]
      if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTypedInto(event.target) || document.querySelector(dialogs)) return
      event.preventDefault()
      act()
    }
    document.addEventListener("keydown", handleKey)
    return () => document.removeEventListener("keydown", handleKey)
  }, [enabled])
}

const dialogs = "[role=dialog], [role=alertdialog]"
const typedInto = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])"

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(typedInto)
}
