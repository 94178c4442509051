import { type ReactNode, useEffect, useRef, useState } from "react"
import { useLocation } from "react-router"
import { brand } from "~/lib/brand"
import type { Language } from "~/lib/language"

type PageHeadingProps = {
  title: string
  /** The language of the title where it is not the page's. */
  titleLang?: Language
  /** Before the title in the browser's tab: how much is to be done. */
  count?: number
  children?: ReactNode
  action?: ReactNode
}

/** A screen's h1 and document title. After navigation it takes the focus. */
export function PageHeading({ title, titleLang, count = 0, children, action }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // As the screen was opened: later changes of its address must not take the focus.
  const [firstScreen] = useState(useLocation().key === "default")

  useEffect(() => {
    if (!firstScreen) heading.current?.focus({ preventScroll: true })
  }, [firstScreen])

  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <title>{`${count > 0 ? `(${count}) ` : ""}${title} – ${brand}`}</title>
      <div className="min-w-0 flex-1 basis-80">
        <h1 ref={heading} lang={titleLang} tabIndex={-1} className="text-xl sm:text-2xl">
          {title}
        </h1>
        {children && <div className="text-ink-soft">{children}</div>}
      </div>
      {action}
    </div>
  )
}
