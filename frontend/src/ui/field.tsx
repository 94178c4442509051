import { clsx } from "clsx"
import { CircleAlert } from "lucide-react"
import { type ComponentProps, type ReactNode, useId } from "react"
import { Unbroken } from "~/ui/unbroken"

type FieldProps = ComponentProps<"input"> & {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Inside the input, at its right edge. */
  trailing?: ReactNode
}

/** The scroll margin keeps the label above and the error below in sight of what takes the focus. */
export const inputStyles = clsx(
  "scroll-my-10 w-full min-h-11 rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink",
  "placeholder:text-ink-soft placeholder:opacity-80 aria-invalid:border-2 aria-invalid:border-withheld",
  "read-only:bg-sunken disabled:bg-sunken disabled:text-ink-soft",
)

/** A labelled input, described by its hint and its error. */
export function Field({ label, hint, error, trailing, className, id, ...input }: FieldProps) {
  const generatedId = useId()
  const inputId = id ?? generatedId
  const describedBy = clsx(error && `${inputId}-error`, hint && `${inputId}-hint`) || undefined

  return (
    <div>
      <label htmlFor={inputId} className="mb-1.5 block font-semibold">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={inputId}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className={clsx(inputStyles, trailing && "pr-12", className)}
        />
        {trailing && (
          <div className="absolute inset-y-0 right-0.5 grid place-items-center">{trailing}</div>
        )}
      </div>
      {error && <FieldError id={`${inputId}-error`}>{error}</FieldError>}
      {hint && (
        <div id={`${inputId}-hint`} className="mt-1.5 text-sm text-ink-soft">
          {hint}
        </div>
      )}
    </div>
  )
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 flex items-start gap-1.5 text-sm font-medium text-withheld-ink">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">
        <Unbroken>{children}</Unbroken>
      </span>
    </p>
  )
}
