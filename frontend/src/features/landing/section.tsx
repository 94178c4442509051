import { clsx } from "clsx"
import { type ReactNode, useId } from "react"
import { Unbroken } from "~/ui/unbroken"

type SectionProps = {
  /** The target of the links in the header. */
  id?: string
  title: ReactNode
  lead?: ReactNode
  /** On a band of the surface colour, which sets neighbouring sections apart. */
  onBand?: boolean
  /** In wide windows the content stands beside the heading, not below it. */
  isSplit?: boolean
  children: ReactNode
}

/** A section of the landing page: a heading, an introduction, and the content below them. */
export function Section({
  id,
  title,
  lead,
  onBand = false,
  isSplit = false,
  children,
}: SectionProps) {
  const titleId = useId()
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={clsx("py-16 sm:py-22", onBand && "border-y border-line bg-surface")}
    >
      <div
        className={clsx(
          "mx-auto max-w-6xl px-4 sm:px-8",
          isSplit && "grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,9fr)]",
        )}
      >
        <div>
          <h2 id={titleId} className="max-w-3xl text-2xl sm:text-3xl">
            <Unbroken>{title}</Unbroken>
          </h2>
          {lead && (
            <p className="mt-4 max-w-2xl text-lg text-pretty text-ink-soft">
              <Unbroken>{lead}</Unbroken>
            </p>
          )}
        </div>
        {children}
      </div>
    </section>
  )
}
