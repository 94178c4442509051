import { type ReactNode, useEffect, useRef } from "react"
import { useIsWide } from "~/hooks/use-is-wide"
import { useShortcuts } from "~/hooks/use-shortcuts"
import { brand } from "~/lib/brand"
import { CloseButton, DialogShell, DialogTitle } from "./dialog-shell"

type SidePanelProps = {
  title: string
  /** The part that was asked for, before the title. */
  kicker?: string | undefined
  onClose: () => void
  /** Shortcuts while it is open; keys of more than one character within it alone. */
  keys?: Record<string, (() => void) | undefined>
  /** Buttons beside the one that closes it. */
  buttons?: ReactNode
  heading: ReactNode
  children: ReactNode
}

/**
 * One object of a list: at the right edge where there is room for both, so that the list stays
 * usable, else a page over it.
 */
export function SidePanel(props: SidePanelProps) {
  const { title, kicker, onClose, keys = {}, heading } = props
  const isBeside = useIsWide()
  useEffect(() => {
    const titleBefore = document.title
    document.title = `${title} – ${brand}`
    return () => {
      document.title = titleBefore
    }
  }, [title])

  const header = useRef<HTMLElement>(null)
  useShortcuts(keys, header)

  return (
    <DialogShell
      open
      beside={isBeside}
      onClose={onClose}
      className="fixed inset-y-0 right-0 z-40 flex w-full animate-panel-in flex-col border-line bg-ground text-ink shadow-raised focus:outline-none lg:w-[26.25rem] lg:border-l min-[112rem]:w-[35rem]"
    >
      <header
        ref={header}
        className="flex flex-col gap-2 border-b border-line bg-surface py-3 pr-3 pl-4 sm:pl-6"
      >
        {/* Without room for both, the buttons are above the title. */}
        <div className="flex flex-wrap-reverse items-start justify-end gap-x-1">
          <DialogTitle
            data-first-focus
            tabIndex={-1}
            className="min-w-0 flex-1 basis-56 py-1 text-xl wrap-anywhere focus:outline-none"
          >
            {kicker && (
              <>
                <span className="block text-sm font-normal tracking-normal text-ink-soft">
                  {kicker}
                </span>{" "}
              </>
            )}
            {title}
          </DialogTitle>
          <span className="flex shrink-0 items-center gap-1">
            {props.buttons}
            <CloseButton />
          </span>
        </div>
        {heading}
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto overscroll-contain px-4 pt-5 pb-20 sm:px-6">
        {props.children}
      </div>
    </DialogShell>
  )
}
