import { clsx } from "clsx"
import { type ReactNode, useRef, useState } from "react"
import { BackGuard, GuardContext, UnsavedQuestion } from "./dialog-guard"
import {
  CloseButton,
  DialogDescription,
  DialogShell,
  DialogTitle,
  dialogStyles,
} from "./dialog-shell"

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  children: ReactNode
  wide?: boolean
  /** The content has no padding and scrolls by itself. */
  unpadded?: boolean
}

/**
 * A modal dialog: it takes the focus, closes by Escape, a button, the browser's Back or a click
 * beside it, and returns the focus. Each of these asks before typed input is lost.
 */
export function Dialog(props: DialogProps) {
  const { title, description, children, wide, unpadded } = props
  const unsaved = useRef(false)
  const [isAsking, setIsAsking] = useState(false)
  const close = () => {
    setIsAsking(false)
    props.onClose()
  }
  if (isAsking && !props.open) setIsAsking(false) // saved meanwhile
  const closeUnlessUnsaved = () => (unsaved.current ? setIsAsking(true) : close())
  return (
    <>
      <DialogShell
        open={props.open}
        onClose={closeUnlessUnsaved}
        onInteractOutside={(event) => {
          if (!unsaved.current) return
          event.preventDefault()
          setIsAsking(true)
        }}
        isDescribed={Boolean(description)}
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
            <DialogTitle className="text-lg wrap-anywhere">{title}</DialogTitle>
            {description && (
              <DialogDescription asChild>
                <div className="mt-0.5 text-sm text-ink-soft">{description}</div>
              </DialogDescription>
            )}
          </div>
          <CloseButton />
        </header>
        <GuardContext value={{ unsaved, onBack: closeUnlessUnsaved }}>
          {unpadded ? (
            children
          ) : (
            <div className="overflow-y-auto overscroll-contain p-5">{children}</div>
          )}
        </GuardContext>
      </DialogShell>
      {isAsking && <UnsavedQuestion onKeep={() => setIsAsking(false)} onDiscard={close} />}
    </>
  )
}
