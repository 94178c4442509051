import { X } from "lucide-react"
import { Dialog as Radix } from "radix-ui"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { buttonStyles } from "~/ui/button"
import { Overlay } from "~/ui/dialog-surface"
import { handleEscape } from "~/ui/escape-key"
import { useDialogFocus } from "~/ui/use-dialog-focus"

type DrawerProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
}

/**
 * The sidebar of small screens: slides in from the left, closes by Escape, button or a tap outside.
 */
export function Drawer({ open, onOpenChange, title, children }: DrawerProps) {
  const { t } = useTranslation()
  const focus = useDialogFocus()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Overlay />
        <Radix.Content
          data-modal
          {...focus}
          onKeyDown={handleEscape(() => onOpenChange(false))}
          aria-modal
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col overflow-y-auto bg-sidebar text-sidebar-ink focus:outline-none data-[state=closed]:animate-slide-out data-[state=open]:animate-slide-in"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          <Radix.Close
            aria-label={t("common.close")}
            className={`absolute top-1.5 right-3 ${buttonStyles({ variant: "sidebar", size: "icon" })}`}
          >
            <X aria-hidden className="size-5" />
          </Radix.Close>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
