import { clsx } from "clsx"
import { X } from "lucide-react"
import { Dialog as Radix } from "radix-ui"
import { type KeyboardEvent, type ReactNode, useRef } from "react"
import { useTranslation } from "react-i18next"
import { type ButtonStyle, buttonStyles } from "./button"

type DialogShellProps = {
  open: boolean
  /** After Escape, a click beside it or its button. */
  onClose: () => void
  /** Before the click beside it closes it; the default is prevented to keep it open. */
  onInteractOutside?: (event: Event) => void
  /** A question that must be answered: read out at once. */
  isAlert?: boolean
  /** Beside the screen, which stays usable: not modal, without a shade. */
  beside?: boolean
  /** Keys but Escape. */
  onKey?: (event: KeyboardEvent<HTMLElement>) => void
  /** Over another dialog. */
  raised?: boolean
  /** Whether a `DialogDescription` is inside. */
  isDescribed?: boolean
  className: string
  children: ReactNode
}

/** Milliseconds; the second click of two may meet what is beside the dialog, which has shrunk. */
const doubleClick = 500

/** What every dialog, drawer and panel is: modal, with the focus inside until closed, or beside. */
export function DialogShell(props: DialogShellProps) {
  const { open, onClose, onInteractOutside, isAlert, beside, raised, isDescribed } = props
  const focus = useDialogFocus()
  const pressedAt = useRef(Number.NEGATIVE_INFINITY)
  return (
    <Radix.Root open={open} modal={!beside} onOpenChange={(stays) => stays || onClose()}>
      <Radix.Portal>
        {/* Radix's own injects a style element, which our CSP forbids. */}
        {!beside && (
          <div
            aria-hidden
            data-overlay
            className={clsx("fixed inset-0 animate-fade-in bg-overlay", raised ? "z-50" : "z-40")}
          />
        )}
        <Radix.Content
          {...(beside ? { "data-beside": true } : { "data-modal": true, "aria-modal": true })}
          role={isAlert ? "alertdialog" : "dialog"}
          {...focus}
          onPointerDownCapture={() => {
            pressedAt.current = performance.now()
          }}
          // Radix gives the key to whatever opened last, such as a toast.
          onKeyDown={(event) => {
            // React passes on the keys of a dialog that is rendered inside this one.
            if (!event.currentTarget.contains(event.target as Element)) return
            if (event.key === "Escape") onClose()
            else props.onKey?.(event)
          }}
          onInteractOutside={(event) => {
            const isDouble = performance.now() - pressedAt.current < doubleClick
            if (isAlert || beside || isDouble) event.preventDefault()
            else onInteractOutside?.(event)
          }}
          {...(!isDescribed && { "aria-describedby": undefined })}
          className={props.className}
        >
          {props.children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export const DialogTitle = Radix.Title
export const DialogDescription = Radix.Description
/** Closes the dialog that it is in. */
export const DialogClose = Radix.Close

/** The shape of a dialog in the middle of the screen. */
export const dialogStyles = clsx(
  "fixed z-50 flex w-[calc(100%-1.5rem)] flex-col rounded-lg bg-surface text-ink shadow-raised",
  "top-[max(0.75rem,9dvh)] left-1/2 max-h-[min(86dvh,52rem)] -translate-x-1/2",
  "border border-line animate-rise-in focus:outline-none",
)

type CloseButtonProps = { variant?: ButtonStyle["variant"]; className?: string }

/** The cross in the corner. */
export function CloseButton({ variant = "ghost", className }: CloseButtonProps) {
  const { t } = useTranslation()
  return (
    <DialogClose
      aria-label={t("common.close")}
      className={clsx(buttonStyles({ variant, size: "icon" }), className)}
    >
      <X aria-hidden className="size-5" />
    </DialogClose>
  )
}

/**
 * The focus of a dialog: on opening its marked element or first field, if any; on closing the element that opened it
 * or, if that element no longer exists (the button of a deleted row), the
 * screen's heading.
 */
function useDialogFocus() {
  const trigger = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      trigger.current = menuButton(document.activeElement) ?? document.activeElement
      const content = event.currentTarget
      const field =
        content instanceof Element &&
        content.querySelector<HTMLElement>("[data-first-focus], input:not([hidden]), textarea")
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

/** The button of the menu that the element is in: the menu closes with the choice. */
function menuButton(element: Element | null): HTMLElement | null {
  const id = element?.closest("[role=menu]")?.getAttribute("aria-labelledby")
  return id ? document.getElementById(id) : null
}
