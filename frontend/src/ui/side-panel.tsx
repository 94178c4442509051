import { type ReactNode, useEffect } from "react"
import { brand } from "~/lib/brand"
import { CloseButton, DialogShell, DialogTitle } from "./dialog-shell"

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
  useEffect(() => {
    const titleBefore = document.title
    document.title = `${title} – ${brand}`
    return () => {
      document.title = titleBefore
    }
  }, [title])

  return (
    <DialogShell
      open
      onClose={onClose}
      className="fixed inset-y-0 right-0 z-40 flex w-full animate-panel-in flex-col border-line bg-ground text-ink shadow-raised focus:outline-none sm:max-w-[560px] sm:border-l"
    >
      <header className="flex items-start justify-between gap-3 border-b border-line bg-surface py-3 pr-3 pl-4 sm:pl-6">
        <div className="min-w-0 flex-1 py-1">
          <DialogTitle className="text-xl wrap-anywhere">{title}</DialogTitle>
          {heading}
        </div>
        <CloseButton />
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto overscroll-contain px-4 py-5 sm:px-6">
        {children}
      </div>
    </DialogShell>
  )
}
