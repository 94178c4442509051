import type { ReactNode } from "react"
import { CloseButton, DialogShell, DialogTitle } from "./dialog-shell"

type DrawerProps = { open: boolean; onClose: () => void; title: string; children: ReactNode }

/**
 * The sidebar of small screens: slides in from the left, closes by Escape, button or a tap outside.
 */
export function Drawer({ open, onClose, title, children }: DrawerProps) {
  return (
    <DialogShell
      open={open}
      onClose={onClose}
      className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col overflow-y-auto bg-sidebar text-sidebar-ink focus:outline-none data-[state=closed]:animate-slide-out data-[state=open]:animate-slide-in"
    >
      <DialogTitle className="sr-only">{title}</DialogTitle>
      <CloseButton variant="sidebar" className="absolute top-1.5 right-3" />
      {children}
    </DialogShell>
  )
}
