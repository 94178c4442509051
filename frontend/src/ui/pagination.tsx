import { clsx } from "clsx"
import { ChevronLeft, ChevronRight } from "lucide-react"
import type { ReactNode } from "react"
import { Button } from "./button"

type PaginationProps = {
  label: string
  previousLabel: string
  nextLabel: string
  page: number
  pageCount: number
  onPageChange: (page: number) => void
  /** The text of the current page. */
  children: ReactNode
  /** Shown instead of the text, which is announced nevertheless. */
  field?: ReactNode
  /** On narrow screens the buttons show their arrows only. */
  compact?: boolean
  className?: string
}

/** Buttons to the previous and the next page. */
export function Pagination({
  label,
  previousLabel,
  nextLabel,
  page,
  pageCount,
  onPageChange,
  children,
  field,
  compact,
  className,
}: PaginationProps) {
  const labelClass = compact ? "max-[26rem]:sr-only" : undefined
  return (
    <nav aria-label={label} className={clsx("flex items-center gap-2", className)}>
      <Button
        variant="secondary"
        size="sm"
        disabled={page <= 1}
        onClick={() => onPageChange(page - 1)}
      >
        <ChevronLeft aria-hidden className="size-4" />
        <span className={labelClass}>{previousLabel}</span>
      </Button>
      <p role="status" className={field ? "sr-only" : "figures px-1 text-sm whitespace-nowrap"}>
        {children}
      </p>
      {field}
      <Button
        variant="secondary"
        size="sm"
        disabled={page >= pageCount}
        onClick={() => onPageChange(page + 1)}
      >
        <span className={labelClass}>{nextLabel}</span>
        <ChevronRight aria-hidden className="size-4" />
      </Button>
    </nav>
  )
}
