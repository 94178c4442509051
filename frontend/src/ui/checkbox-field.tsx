import { type ComponentProps, type ReactNode, useId } from "react"
import { FieldError } from "./field"

type CheckboxFieldProps = ComponentProps<"input"> & { label: ReactNode; error?: string | undefined }

export function CheckboxField({ label, error, ...input }: CheckboxFieldProps) {
  const id = useId()
  return (
    <div>
      <div className="flex items-start gap-3">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="mt-0.5 size-6 shrink-0 choice"
        />
        <label htmlFor={id} className="text-sm leading-6">
          {label}
        </label>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
