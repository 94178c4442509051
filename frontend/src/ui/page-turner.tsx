import { clsx } from "clsx"
import { ChevronLeft, ChevronRight } from "lucide-react"
import type { ReactNode } from "react"
import { Button } from "~/ui/button"

type PageTurnerProps = {
  label: string
  previous: string
  next: string
  page: number
  pages: number
  onPage: (page: number) => void
  /** Which page this is, in words. */
  children: ReactNode
  /** Beside other things: on a narrow screen the buttons show their arrows alone. */
  tight?: boolean
  className?: string
}

/** Leads to the page before and the page after. */
export function PageTurner({
  label,
  previous,
  next,
  page,
  pages,
  onPage,
  children,
  tight,
  className,
}: PageTurnerProps) {
  const word = tight ? "max-[26rem]:sr-only" : undefined
  return (
    <nav aria-label={label} className={clsx("flex items-center gap-2", className)}>
      <Button variant="secondary" size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden className="size-4" />
        <span className={word}>{previous}</span>
      </Button>
      <p role="status" className="figures px-1 text-sm whitespace-nowrap">
        {children}
      </p>
      <Button
        variant="secondary"
        size="sm"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <span className={word}>{next}</span>
        <ChevronRight aria-hidden className="size-4" />
      </Button>
    </nav>
  )
}
