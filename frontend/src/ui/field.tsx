import { clsx } from "clsx"
import { CircleAlert } from "lucide-react"
import { type ComponentProps, type ReactNode, useId } from "react"
import { cleanInput, liftLimit, liftLimitForText } from "./clean-input"
import { Unbroken } from "./unbroken"

/**
 * The scroll margin keeps the label above and the error below visible when the field takes the
 * focus.
 */
export const inputStyles = clsx(
  "scroll-my-10 w-full min-h-11 rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink",
  "placeholder:text-ink-soft placeholder:opacity-80 aria-invalid:border-2 aria-invalid:border-withheld",
  "read-only:bg-sunken disabled:bg-sunken disabled:text-ink-soft",
)

type FieldFrameProps = {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  id?: string | undefined
  /** The control, which gets the properties that connect it with the texts. */
  children: (control: {
    id: string
    "aria-invalid": true | undefined
    "aria-describedby": string | undefined
  }) => ReactNode
}

/** A control with its label above, and its error and hint below, which describe it. */
export function FieldFrame({ label, hint, error, id, children }: FieldFrameProps) {
  const generatedId = useId()
  const controlId = id ?? generatedId
  return (
    <div>
      <label htmlFor={controlId} className="mb-1.5 block font-semibold">
        {label}
      </label>
      {children({
        id: controlId,
        "aria-invalid": error ? true : undefined,
        "aria-describedby":
          clsx(error && `${controlId}-error`, hint && `${controlId}-hint`) || undefined,
      })}
      {error && <FieldError id={`${controlId}-error`}>{error}</FieldError>}
      {hint && (
        <div id={`${controlId}-hint`} className="mt-1.5 text-sm text-ink-soft">
          {hint}
        </div>
      )}
    </div>
  )
}

const asEntered = (text: string) => text

type FieldProps = ComponentProps<"input"> & {
  /** The text without what people write into it beside its letters and digits. */
  clean?: (text: string) => string
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Inside the input, at its right edge. */
  trailing?: ReactNode
}

/** A labelled input, described by its hint and its error. */
export function Field(props: FieldProps) {
  const { label, hint, error, trailing, className, id, ...rest } = props
  const { clean = asEntered, ...input } = rest
  return (
    <FieldFrame label={label} hint={hint} error={error} id={id}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            onPaste={liftLimit}
            onDrop={liftLimit}
            onBeforeInput={liftLimitForText}
            onInput={cleanInput(clean, input.maxLength)}
            className={clsx(inputStyles, trailing && "pr-12", className)}
          />
          {trailing && (
            <div className="absolute inset-y-0 right-0.5 grid place-items-center">{trailing}</div>
          )}
        </div>
      )}
    </FieldFrame>
  )
}

type TextAreaFieldProps = ComponentProps<"textarea"> & {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

/** A labelled textarea, like `Field`. */
export function TextAreaField({ label, hint, error, className, ...area }: TextAreaFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          rows={6}
          {...area}
          {...control}
          onPaste={liftLimit}
          onDrop={liftLimit}
          onBeforeInput={liftLimitForText}
          onInput={cleanInput(asEntered, area.maxLength)}
          className={clsx(inputStyles, "block resize-y", className)}
        />
      )}
    </FieldFrame>
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
