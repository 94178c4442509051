import { clsx } from "clsx"
import { CircleAlert } from "lucide-react"
import { type ComponentProps, type ReactNode, useId } from "react"

type FieldProps = ComponentProps<"input"> & {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Stands inside the box, at its right edge. */
  end?: ReactNode
}

export const inputLook = clsx(
  "w-full min-h-11 rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink",
  "placeholder:text-ink-soft placeholder:opacity-80 aria-invalid:border-2 aria-invalid:border-withheld",
  "read-only:bg-sunken disabled:bg-sunken disabled:text-ink-soft",
)

/** One labelled input; the hint and the error are part of its description. */
export function Field({ label, hint, error, end, className, id, ...input }: FieldProps) {
  const own = useId()
  const name = id ?? own
  const describedBy = clsx(error && `${name}-error`, hint && `${name}-hint`) || undefined

  return (
    <div>
      <label htmlFor={name} className="mb-1.5 block font-semibold">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={name}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className={clsx(inputLook, end && "pr-12", className)}
        />
        {end && <div className="absolute inset-y-0 right-0.5 grid place-items-center">{end}</div>}
      </div>
      {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
      {hint && (
        <div id={`${name}-hint`} className="mt-1.5 text-sm text-ink-soft">
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
      {children}
    </p>
  )
}
