import type { ComponentProps } from "react"

/** The look of a link in a text or below a form. */
export const linkStyles =
  "font-semibold text-brand underline decoration-1 underline-offset-3 hover:text-brand-strong"

/** A button that looks like a link. */
export function LinkButton(button: ComponentProps<"button">) {
  return <button type="button" {...button} className={linkStyles} />
}
