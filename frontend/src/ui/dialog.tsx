import { clsx } from "clsx"
import { X } from "lucide-react"
import { Dialog as Radix } from "radix-ui"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { buttonStyles } from "~/ui/button"
import { handleEscape } from "~/ui/escape-key"
import { useDialogFocus } from "~/ui/use-dialog-focus"

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children: ReactNode
  wide?: boolean
  /** The content has no padding and scrolls by itself. */
  unpadded?: boolean
}

/** A modal dialog: it takes the focus, closes by Escape and a button, and returns the focus. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  wide,
  unpadded,
}: DialogProps) {
  const { t } = useTranslation()
  const focus = useDialogFocus()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Overlay />
        <Radix.Content
          data-modal
          aria-modal
          {...focus}
          onKeyDown={handleEscape(() => onOpenChange(false))}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={clsx(dialogStyles, wide ? "max-w-2xl" : "max-w-lg")}
        >
          <header
            className={clsx(
              "flex items-start justify-between gap-4 py-3 pr-3 pl-5",
              !unpadded && "border-b border-line",
            )}
          >
            <div className="min-w-0 py-1">
              <Radix.Title className="text-lg wrap-anywhere">{title}</Radix.Title>
              {description && (
                <Radix.Description asChild>
                  <div className="mt-0.5 text-sm text-ink-soft">{description}</div>
                </Radix.Description>
              )}
            </div>
            <Radix.Close
              aria-label={t("common.close")}
              className={buttonStyles({ variant: "ghost", size: "icon" })}
            >
              <X aria-hidden className="size-5" />
            </Radix.Close>
          </header>
          {unpadded ? (
            children
          ) : (
            <div className="overflow-y-auto overscroll-contain p-5">{children}</div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export const dialogStyles = clsx(
  "fixed z-50 flex w-[calc(100%-1.5rem)] flex-col rounded-lg bg-surface text-ink shadow-raised",
  "top-[max(0.75rem,9dvh)] left-1/2 max-h-[min(86dvh,52rem)] -translate-x-1/2",
  "border border-line animate-rise-in focus:outline-none",
)

/** The overlay behind a dialog. Radix's own injects a style element, which our CSP forbids. */
export function Overlay() {
  return <div aria-hidden className="fixed inset-0 z-40 animate-fade-in bg-overlay" />
}
