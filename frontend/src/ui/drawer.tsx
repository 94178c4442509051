import { X } from "lucide-react"
import { Dialog as Radix } from "radix-ui"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { buttonLook } from "~/ui/button"
import { Veil } from "~/ui/dialog"
import { onEscape } from "~/ui/escape"
import { useWindowFocus } from "~/ui/use-window-focus"

type DrawerProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
}

/** The sidebar of a small screen: slides in from the left, leaves by Escape, cross or a tap beside it. */
export function Drawer({ open, onOpenChange, title, children }: DrawerProps) {
  const { t } = useTranslation()
  const focus = useWindowFocus()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Veil />
        <Radix.Content
          data-modal
          {...focus}
          onKeyDown={onEscape(() => onOpenChange(false))}
          aria-modal
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col overflow-y-auto bg-rail text-rail-ink focus:outline-none data-[state=closed]:animate-slide-out data-[state=open]:animate-slide-in"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          <Radix.Close
            aria-label={t("common.close")}
            className={`absolute top-3 right-3 ${buttonLook({ variant: "rail", size: "icon" })}`}
          >
            <X aria-hidden className="size-5" />
          </Radix.Close>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
