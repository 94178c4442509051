import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react"

type Shortcuts = Record<string, (() => void) | undefined>

let isOn = true
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function switchShortcuts(on: boolean): void {
  isOn = on
  for (const listener of listeners) listener()
}

/**
 * Whether keys of one character act, and the function that switches them: speech input types them
 * by accident (WCAG 2.1.4).
 */
export function useShortcutSwitch(): [boolean, (on: boolean) => void] {
  return [
    useSyncExternalStore(
      subscribe,
      () => isOn,
      () => true,
    ),
    switchShortcuts,
  ]
}

/**
 * Calls the shortcut of a key that is pressed alone; not while the user types, and not behind a
 * modal dialog or in a menu. With a `panel`, the keys are those of that dialog, and arrows act
 * within it alone.
 */
export function useShortcuts(shortcuts: Shortcuts, panel?: RefObject<HTMLElement | null>): void {
  const current = useRef(shortcuts)
  current.current = shortcuts

  // On the document: after a click beside a panel the focus is not in it.
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const isCharacter = event.key.length === 1
      const act = current.current[isCharacter ? event.key.toLowerCase() : event.key]
      if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const own = panel?.current?.closest<HTMLElement>("[role=dialog]")
      const isInside = event.target instanceof Node && own?.contains(event.target)
      if (isCharacter ? !isOn : !isInside) return
      if (isTypedInto(event.target) || isBehindDialog(own)) return
      event.preventDefault()
      // The element with the focus may be of the object that is left.
      if (isInside) own?.focus()
      act()
    }
    document.addEventListener("keydown", handleKey)
    return () => document.removeEventListener("keydown", handleKey)
  }, [panel])
}

const typedInto = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])"

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(typedInto)
}

function isBehindDialog(own: Element | null | undefined): boolean {
  return [...document.querySelectorAll("[aria-modal], [role=menu]")].some((one) => one !== own)
}
