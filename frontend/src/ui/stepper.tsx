import { clsx } from "clsx"
import { Minus, Plus } from "lucide-react"
import { type ReactNode, type Ref, useRef, useState } from "react"
import { buttonStyles } from "./button"
import { FieldFrame, inputStyles } from "./field"

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
  error?: ReactNode
  /** The input, for a form that puts the focus there. */
  ref?: Ref<HTMLInputElement>
}

/**
 * A number in steps: two buttons, and an input for large values. Typed text is committed on blur or
 * Enter, rounded up to a whole step. Whether the value is acceptable is for the form to decide: text
 * that is no whole number, such as '5,5' or '-20', stays as it is and makes the value NaN.
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
  const [draft, setDraft] = useState<string>()
  // An emptied box keeps its value, and so does one that is emptied of text that is no number.
  const lastNumber = useRef(value)
  if (!Number.isNaN(value)) lastNumber.current = value
  const roundUpToStep = (number: number) => Math.ceil(number / step) * step
  const commitValue = (number: number) => {
    setDraft(undefined)
    if (!Object.is(number, value)) onChange(number)
  }
  const commitDraft = () => {
    const number = parseWholeNumber(draft ?? "")
    if (draft === undefined || Number.isNaN(number)) return
    if (draft) commitValue(roundUpToStep(number))
    else setDraft(undefined)
  }
  // The form may have set another value meanwhile, by a button of its own.
  const isOutdated = Number.isNaN(parseWholeNumber(draft ?? "")) && !Number.isNaN(value)
  const shown = isOutdated ? String(value) : (draft ?? String(value))
  const handleInput = (text: string) => {
    setDraft(text)
    const number = text === "" ? lastNumber.current : parseWholeNumber(text)
    const isFinal = number >= min && number <= max && number % step === 0
    if (text === "" || isFinal || Number.isNaN(number)) onChange(number)
  }

  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(control) => (
        <div className="flex items-center gap-2">
          <StepButton
            label={decrementLabel}
            disabled={value <= min}
            onClick={() => commitValue(Math.max(min, roundUpToStep(lastNumber.current) - step))}
          >
            <Minus aria-hidden className="size-5" />
          </StepButton>
          <input
            ref={ref}
            {...control}
            inputMode="numeric"
            autoComplete="off"
            value={shown}
            onChange={({ target }) => handleInput(target.value)}
            onFocus={({ target }) => target.select()}
            onBlur={commitDraft}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return
              event.preventDefault() // Enter commits the number and must not submit the form
              commitDraft()
            }}
            className={clsx(inputStyles, "figures w-28! text-center text-lg! font-semibold")}
          />
          <StepButton
            label={incrementLabel}
            disabled={value >= max}
            onClick={() =>
              commitValue(Math.min(max, Math.floor(lastNumber.current / step) * step + step))
            }
          >
            <Plus aria-hidden className="size-5" />
          </StepButton>
        </div>
      )}
    </FieldFrame>
  )
}

/** Digits alone, with blanks around or between them: '1 000' is a thousand, '1e3' is no number. */
function parseWholeNumber(text: string): number {
  const digits = text.replace(/\s/g, "")
  return /^[0-9]*$/.test(digits) ? Number(digits) : Number.NaN
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
