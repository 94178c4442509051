import { clsx } from "clsx"
import { X } from "lucide-react"
import { Dialog as Radix } from "radix-ui"
import { type ReactNode, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { buttonStyles } from "~/ui/button"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { BackGuard, GuardContext } from "~/ui/dialog-guard"
import { dialogStyles, Overlay } from "~/ui/dialog-surface"
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

/**
 * A modal dialog: it takes the focus, closes by Escape, a button, the browser's Back or a click
 * beside it, and returns the focus. Each of them asks before it throws away what was typed.
 */
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
  const unsaved = useRef(false)
  const [isAsking, setIsAsking] = useState(false)
  const close = () => {
    setIsAsking(false)
    onOpenChange(false)
  }
  const closeUnlessUnsaved = () => (unsaved.current ? setIsAsking(true) : close())
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(next) : closeUnlessUnsaved())}
    >
      <Radix.Portal>
        <Overlay />
        <Radix.Content
          data-modal
          aria-modal
          {...focus}
          onKeyDown={handleEscape(closeUnlessUnsaved)}
          onInteractOutside={(event) => {
            if (!unsaved.current) return
            event.preventDefault()
            setIsAsking(true)
          }}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={clsx(dialogStyles, wide ? "max-w-2xl" : "max-w-lg")}
        >
          <BackGuard onBack={closeUnlessUnsaved} />
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
          <GuardContext value={{ unsaved, onBack: closeUnlessUnsaved }}>
            {unpadded ? (
              children
            ) : (
              <div className="overflow-y-auto overscroll-contain p-5">{children}</div>
            )}
          </GuardContext>
        </Radix.Content>
        {isAsking && (
          <ConfirmDialog
            open
            onOpenChange={setIsAsking}
            title={t("common.unsaved.title")}
            description={t("common.unsaved.text")}
            confirmLabel={t("common.unsaved.discard")}
            cancelLabel={t("common.unsaved.keep")}
            onConfirm={close}
            loading={false}
          />
        )}
      </Radix.Portal>
    </Radix.Root>
  )
}
