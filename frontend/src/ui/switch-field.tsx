import { clsx } from "clsx"
import { type ComponentProps, type ReactNode, useId } from "react"
import { Unbroken } from "./unbroken"

type SwitchFieldProps = ComponentProps<"input"> & {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
}

/** A labelled switch, described by its hint. */
export function SwitchField({ label, hint, checked, ...input }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <label htmlFor={id} className="font-semibold">
          <Unbroken>{label}</Unbroken>
        </label>
        {hint && (
          <div id={`${id}-hint`} className="text-sm wrap-anywhere text-ink-soft">
            {hint}
          </div>
        )}
      </div>
      <input
        {...input}
        id={id}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className={clsx(
          "relative mt-0.5 h-7 w-12 shrink-0 cursor-pointer appearance-none rounded-full border transition-colors",
          "border-line-strong bg-line-strong checked:border-brand checked:bg-brand",
          "before:absolute before:top-0.75 before:left-0.75 before:size-5 before:rounded-full before:bg-surface",
          "before:transition-transform checked:before:translate-x-5 checked:before:bg-on-brand",
          "disabled:cursor-not-allowed disabled:opacity-55",
        )}
      />
    </div>
  )
}
