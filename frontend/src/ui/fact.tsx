import { clsx } from "clsx"
import type { ReactNode } from "react"

type FactProps = {
  name: string
  /** Of the pair, such as its place in the list. */
  className?: string
  valueClass?: string
  children: ReactNode
}

/** A named value of a definition list. */
export function Fact({
  name,
  className,
  valueClass = "figures mt-0.5 font-medium",
  children,
}: FactProps) {
  return (
    <div className={clsx("min-w-0", className)}>
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className={clsx("wrap-anywhere", valueClass)}>{children}</dd>
    </div>
  )
}
