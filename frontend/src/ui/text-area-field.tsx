import { clsx } from "clsx"
import { type ComponentProps, type ReactNode, useId } from "react"
import { FieldError, inputStyles } from "~/ui/field"

type TextAreaFieldProps = ComponentProps<"textarea"> & {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

/** A labelled textarea, like `Field`. */
export function TextAreaField({ label, hint, error, className, ...area }: TextAreaFieldProps) {
  const id = useId()
  const describedBy = clsx(error && `${id}-error`, hint && `${id}-hint`) || undefined
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-semibold">
        {label}
      </label>
      <textarea
        rows={6}
        {...area}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
        className={clsx(inputStyles, "block resize-y", className)}
      />
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <div id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
          {hint}
        </div>
      )}
    </div>
  )
}
