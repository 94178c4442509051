import { clsx } from "clsx"
import { ChevronDown } from "lucide-react"
import type { ComponentProps } from "react"

/** A native select, for its keyboard, screen reader and touch support. */
export function Select({ className, ...rest }: ComponentProps<"select">) {
  return (
    <span className="relative inline-flex">
      <select
        {...rest}
        className={clsx(
          "min-h-9 appearance-none rounded-md border border-line-strong bg-surface py-1 pr-9 pl-3 text-sm font-semibold text-ink",
          className,
        )}
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-ink-soft"
      />
    </span>
  )
}
