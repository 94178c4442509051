import { clsx } from "clsx"
import type { ReactNode, Ref } from "react"

type SectionHeadProps = {
  title: string
  lead?: string
  /** At the right edge, or below where it has no room. */
  action?: ReactNode
  /** Of the heading. */
  id?: string
  /** The heading, for a section that puts the focus there. */
  heading?: Ref<HTMLHeadingElement>
}

/** The head of a section in a card: its heading, what it is about, and an action. */
export function SectionHead({ title, lead, action, id, heading }: SectionHeadProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-4">
      <div className={clsx("min-w-0", lead && "flex-1 basis-64")}>
        <h2 id={id} ref={heading} tabIndex={heading ? -1 : undefined} className="text-lg">
          {title}
        </h2>
        {lead && <p className="text-sm text-ink-soft">{lead}</p>}
      </div>
      {action}
    </div>
  )
}
