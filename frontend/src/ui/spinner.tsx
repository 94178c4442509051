import { clsx } from "clsx"
import { LoaderCircle } from "lucide-react"

/** A turning mark. Alone on a screen it says what it waits for; inside a button it is silent. */
export function Spinner({ label, small = false }: { label?: string; small?: boolean }) {
  const mark = (
    <LoaderCircle
      aria-hidden
      data-spinner
      className={clsx("shrink-0 animate-turn", small ? "size-4" : "size-8 text-brand")}
    />
  )
  if (!label) return mark
  return (
    <div role="status" className="flex flex-col items-center gap-3 px-4 py-16 text-ink-soft">
      {mark}
      <span>{label}</span>
    </div>
  )
}
