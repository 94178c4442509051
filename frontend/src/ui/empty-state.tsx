import type { LucideIcon } from "lucide-react"
import type { ReactNode } from "react"

type EmptyStateProps = { icon: LucideIcon; title: string; children?: ReactNode; action?: ReactNode }

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      <Icon aria-hidden className="mb-1 size-9 text-line-strong" strokeWidth={1.5} />
      <p className="text-lg font-semibold">{title}</p>
      {children && <div className="max-w-md text-ink-soft">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
