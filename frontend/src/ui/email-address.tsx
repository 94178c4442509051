import { Fragment } from "react"

/** An e-mail address, which is broken after its signs, and within a word only where that is too long. */
export function EmailAddress({ children, className }: { children: string; className: string }) {
  return (
    <span translate="no" className={`wrap-anywhere ${className}`}>
      {children.split(/(?<=[@._+-])/).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
