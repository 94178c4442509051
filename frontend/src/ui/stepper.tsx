import { clsx } from "clsx"
import { Minus, Plus } from "lucide-react"
import { type ReactNode, type Ref, useId, useState } from "react"
import { buttonStyles } from "~/ui/button"
import { FieldError, inputStyles } from "~/ui/field"

type StepperProps = {
  label: string
  value: number
  onChange: (value: number) => void
  min: number
  max: number
  step: number
  /** The accessible names of the two buttons. */
  decrementLabel: string
  incrementLabel: string
  hint?: ReactNode
  error?: string | undefined
  /** The input, for a form that puts the focus there. */
  ref?: Ref<HTMLInputElement>
}

/**
 * A number in steps: two buttons, and an input for large values. Typed text is committed on blur or
 * Enter, rounded up to a whole step. Whether the value is acceptable is for the form to decide.
 */
export function Stepper(props: StepperProps) {
  const {
    label,
    value,
    onChange,
    min,
    max,
    step,
    decrementLabel,
    incrementLabel,
    hint,
    error,
    ref,
  } = props
  const inputId = useId()
  const [draft, setDraft] = useState<string>()
  const describedBy = clsx(error && `${inputId}-error`, hint && `${inputId}-hint`) || undefined

  const roundUpToStep = (number: number) => Math.ceil(number / step) * step
  const commitValue = (number: number) => {
    setDraft(undefined)
    if (number !== value) onChange(number)
  }
  const commitDraft = () => {
    if (draft) commitValue(roundUpToStep(Number(draft)))
    else setDraft(undefined)
  }
  const handleInput = (text: string) => {
    const digits = text.replace(/[^0-9]/g, "").slice(0, 6)
    setDraft(digits)
    const number = Number(digits)
    if (number >= min && number <= max && number % step === 0) onChange(number)
  }

  return (
    <div>
      <label htmlFor={inputId} className="mb-1.5 block font-semibold">
        {label}
      </label>
      <div className="flex items-center gap-2">
        <StepButton
          label={decrementLabel}
          disabled={value <= min}
          onClick={() => commitValue(Math.max(min, roundUpToStep(value) - step))}
        >
          <Minus aria-hidden className="size-5" />
        </StepButton>
        <input
          ref={ref}
          id={inputId}
          inputMode="numeric"
          autoComplete="off"
          value={draft ?? String(value)}
          onChange={({ target }) => handleInput(target.value)}
          onFocus={({ target }) => target.select()}
          onBlur={commitDraft}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return
            event.preventDefault() // Enter commits the number and must not submit the form
            commitDraft()
          }}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className={clsx(inputStyles, "figures w-24! text-center text-lg! font-semibold")}
        />
        <StepButton
          label={incrementLabel}
          disabled={value >= max}
          onClick={() => commitValue(Math.min(max, Math.floor(value / step) * step + step))}
        >
          <Plus aria-hidden className="size-5" />
        </StepButton>
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

type StepButtonProps = {
  label: string
  disabled: boolean
  onClick: () => void
  children: ReactNode
}

function StepButton({ label, disabled, onClick, children }: StepButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      className={clsx(buttonStyles({ variant: "secondary", size: "icon" }), "size-11!")}
    >
      {children}
    </button>
  )
}
