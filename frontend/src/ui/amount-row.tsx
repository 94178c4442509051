import { clsx } from "clsx"
import type { ReactNode } from "react"

type AmountRowProps = {
  label: ReactNode
  /** A line above, to set sums apart. */
  divider?: boolean
  /** The amount to pay, emphasised. */
  total?: boolean
  children: ReactNode
}

/** One row of a price breakdown, inside a `dl`. */
export function AmountRow({ label, divider, total, children }: AmountRowProps) {
  return (
    <div
      className={clsx(
        "flex items-baseline justify-between gap-4",
        divider && "mt-1 border-t border-line pt-2.5",
        total ? "mt-1 text-lg font-semibold" : "text-sm",
      )}
    >
      <dt className="min-w-0 text-pretty">{label}</dt>
      <dd className="whitespace-nowrap">{children}</dd>
    </div>
  )
}
