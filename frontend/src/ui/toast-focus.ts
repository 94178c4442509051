import { type RefObject, useEffect, useLayoutEffect, useRef } from "react"
import type { Toast } from "~/lib/toasts"

type Focus = {
  /** The element that had the focus before. */
  origin: EventTarget | null
  /** The toast that has the focus or had it last; null while the region itself has it. */
  toast: Element | null
}

/**
 * Lets the focus come to the toasts although a dialog traps it, and returns it to where it was when
 * the focused toast, or the last one, leaves. The ref is for the viewport.
 */
export function useToastFocus(toasts: readonly Toast[]): RefObject<HTMLOListElement | null> {
  const viewport = useRef<HTMLOListElement>(null)
  const focus = useRef<Focus>(undefined)

  // A dialog's trap listens on the document and is registered later: what stops here is hidden from it.
  useEffect(() => {
    const isInRegion = (target: EventTarget | null) =>
      target instanceof Node && viewport.current?.parentElement?.contains(target) === true
    const onFocusIn = (event: FocusEvent) => {
      const { target, relatedTarget } = event
      if (isInViewport(target)) event.stopImmediatePropagation()
      if (!isInRegion(target)) focus.current = undefined
      else
        focus.current = {
          origin: isInRegion(relatedTarget) ? (focus.current?.origin ?? null) : relatedTarget,
          toast: (target as Element).closest("[data-toast]") ?? focus.current?.toast ?? null,
        }
    }
    const onFocusOut = (event: FocusEvent) => {
      if (isInViewport(event.relatedTarget)) event.stopImmediatePropagation()
    }
    // A click on the empty page takes the focus without giving it to another element.
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!isInRegion(target)) focus.current = undefined
    }
    document.addEventListener("pointerdown", onPointerDown, true)
    document.addEventListener("focusin", onFocusIn)
    document.addEventListener("focusout", onFocusOut)
    return () => {
      document.removeEventListener("pointerdown", onPointerDown, true)
      document.removeEventListener("focusin", onFocusIn)
      document.removeEventListener("focusout", onFocusOut)
    }
  }, [])

  useLayoutEffect(() => {
    if (!focus.current) return
    const { origin, toast } = focus.current
    const stays = toast
      ? toast.isConnected && toast.matches('[data-state="open"]')
      : toasts.some(({ state }) => state === "shown")
    if (stays) return
    const target = origin instanceof HTMLElement && origin.isConnected ? origin : openDialog()
    target?.focus({ preventScroll: true })
  }, [toasts])

  return viewport
}

/** The dialog that covers the screen, if one does. */
export function openDialog(): HTMLElement | null {
  return document.querySelector('[data-modal][data-state="open"]')
}

function isInViewport(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-toasts]") !== null
}
