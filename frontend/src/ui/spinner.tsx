import { clsx } from "clsx"
import { LoaderCircle } from "lucide-react"

/** A spinner. With a label it is announced as a status; inside a button it is silent. */
export function Spinner({ label, small = false }: { label?: string; small?: boolean }) {
  const icon = (
    <LoaderCircle
      aria-hidden
      data-spinner
      className={clsx("shrink-0 animate-turn", small ? "size-4" : "size-8 text-brand")}
    />
  )
  if (!label) return icon
  return (
    <div role="status" className="flex flex-col items-center gap-3 px-4 py-16 text-ink-soft">
      {icon}
      <span>{label}</span>
    </div>
  )
}
