import { Fragment, type ReactNode } from "react"

// "e-mail", "SMS-em", "30-dniowy", "00-123": longer words may be broken at their hyphens.
const shortWord = /(?<![\p{L}\d-])(?=[\p{L}\d-]{3,12}(?![\p{L}\d-]))([\p{L}\d]+(?:-[\p{L}\d]+)+)/u

/**
 * A text whose short words with a hyphen stay on one line; the copied hyphen is a plain one. Other
 * content is unchanged. The server renders the operator's details with the same elements.
 */
export function Unbroken({ children }: { children: ReactNode }) {
  if (typeof children !== "string") return children
  const parts = children.split(shortWord)
  if (parts.length === 1) return children
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    <Fragment key={at}>
      {at % 2 === 0 ? part : <span className="whitespace-nowrap">{part}</span>}
    </Fragment>
  ))
}
