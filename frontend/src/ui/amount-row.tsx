import { clsx } from "clsx"
import type { ReactNode } from "react"

type AmountRowProps = {
  name: ReactNode
  /** A line above it: from here on it is a sum. */
  ruled?: boolean
  /** The one that is paid. */
  total?: boolean
  children: ReactNode
}

/** One line of a price, in a `dl`: what it is for, and how much. */
export function AmountRow({ name, ruled, total, children }: AmountRowProps) {
  return (
    <div
      className={clsx(
        "flex items-baseline justify-between gap-4",
        ruled && "mt-1 border-t border-line pt-2.5",
        total ? "mt-1 text-lg font-semibold" : "text-sm",
      )}
    >
      <dt className="min-w-0 text-pretty">{name}</dt>
      <dd className="whitespace-nowrap">{children}</dd>
    </div>
  )
}
