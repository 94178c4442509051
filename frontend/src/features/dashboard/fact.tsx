import type { ReactNode } from "react"

/** A named value of a definition list. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="figures mt-1 font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}
