import type { ReactNode } from "react"

// "e-mail", "SMS-em", "30-dniowy", "00-123": longer words may be broken at their hyphens.
const shortWord = /(?<![\p{L}\d-])(?=[\p{L}\d-]{3,12}(?![\p{L}\d-]))([\p{L}\d]+(?:-[\p{L}\d]+)+)/u

/**
 * A text whose short words with a hyphen stay on one line; the copied hyphen is a plain one. Other
 * content is unchanged.
 */
export function Unbroken({ children }: { children: ReactNode }) {
  return <>{typeof children === "string" ? unbrokenParts(children) : children}</>
}

/** The same as children of an element. The server renders the operator's details like this. */
export function unbrokenParts(text: string): ReactNode[] {
  return text.split(shortWord).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
      <span key={at} className="whitespace-nowrap">
        {part}
      </span>
    ),
  )
}
