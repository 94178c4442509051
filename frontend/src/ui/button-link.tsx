import { clsx } from "clsx"
import type { ComponentProps } from "react"
import { Link } from "react-router"
import { type ButtonStyle, buttonStyles } from "./button"

/** A link within the application that looks like a button. */
export function ButtonLink({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<typeof Link> & ButtonStyle) {
  return (
    <Link {...rest} data-control className={clsx(buttonStyles({ variant, size }), className)} />
  )
}
