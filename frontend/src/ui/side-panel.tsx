import { X } from "lucide-react"
import { Dialog as Radix } from "radix-ui"
import { type ReactNode, useEffect } from "react"
import { useTranslation } from "react-i18next"
import { brand } from "~/lib/brand"
import { buttonStyles } from "~/ui/button"
import { Overlay } from "~/ui/dialog-surface"
import { handleEscape } from "~/ui/escape-key"
import { useDialogFocus } from "~/ui/use-dialog-focus"

type SidePanelProps = {
  title: string
  onClose: () => void
  heading: ReactNode
  children: ReactNode
}

/**
 * One object over the list that it belongs to: at the right edge, on a phone the whole screen.
 * Dialogs over it are rendered beside it, so that their Escape does not reach it.
 */
export function SidePanel({ title, onClose, heading, children }: SidePanelProps) {
  const { t } = useTranslation()
  const focus = useDialogFocus()

  useEffect(() => {
    const titleBefore = document.title
    document.title = `${title} – ${brand}`
    return () => {
      document.title = titleBefore
    }
  }, [title])

  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Overlay />
        <Radix.Content
          data-modal
          {...focus}
          onKeyDown={handleEscape(onClose)}
          aria-modal
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-40 flex w-full animate-panel-in flex-col border-line bg-ground text-ink shadow-raised focus:outline-none sm:max-w-[560px] sm:border-l"
        >
          <header className="flex items-start justify-between gap-3 border-b border-line bg-surface py-3 pr-3 pl-4 sm:pl-6">
            <div className="min-w-0 flex-1 py-1">
              <Radix.Title className="text-xl wrap-anywhere">{title}</Radix.Title>
              {heading}
            </div>
            <Radix.Close
              aria-label={t("common.close")}
              className={buttonStyles({ variant: "ghost", size: "icon" })}
            >
              <X aria-hidden className="size-5" />
            </Radix.Close>
          </header>
          <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto overscroll-contain px-4 py-5 sm:px-6">
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
