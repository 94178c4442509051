import { clsx } from "clsx"
import { Minus, Plus } from "lucide-react"
import { type ReactNode, useId, useState } from "react"
import { buttonLook } from "~/ui/button"
import { FieldError, inputLook } from "~/ui/field"

type StepperProps = {
  label: string
  value: number
  onChange: (value: number) => void
  least: number
  most: number
  step: number
  /** What the two buttons are called. */
  less: string
  more: string
  hint?: ReactNode
  error?: string | undefined
  id?: string
}

/**
 * A number in steps: two buttons, and a box for who wants a large one at once. What is typed counts
 * when the box is left, raised to a whole step; whether it may stand is for the form to say.
 */
export function Stepper(props: StepperProps) {
  const { label, value, onChange, least, most, step, less, more, hint, error, id } = props
  const own = useId()
  const name = id ?? own
  const [typed, setTyped] = useState<string>()
  const describedBy = clsx(error && `${name}-error`, hint && `${name}-hint`) || undefined

  const up = (number: number) => Math.ceil(number / step) * step
  const take = (number: number) => {
    setTyped(undefined)
    if (number !== value) onChange(number)
  }
  const takeTyped = () => {
    if (typed) take(up(Number(typed)))
    else setTyped(undefined)
  }
  const type = (text: string) => {
    const digits = text.replace(/[^0-9]/g, "").slice(0, 6)
    setTyped(digits)
    const number = Number(digits)
    if (number >= least && number <= most && number % step === 0) onChange(number)
  }

  return (
    <div>
      <label htmlFor={name} className="mb-1.5 block font-semibold">
        {label}
      </label>
      <div className="flex items-center gap-2">
        <StepButton
          name={less}
          disabled={value <= least}
          onClick={() => take(Math.max(least, up(value) - step))}
        >
          <Minus aria-hidden className="size-5" />
        </StepButton>
        <input
          id={name}
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? String(value)}
          onChange={({ target }) => type(target.value)}
          onFocus={({ target }) => target.select()}
          onBlur={takeTyped}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return
            event.preventDefault() // it ends the number, it does not send the form
            takeTyped()
          }}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className={clsx(inputLook, "figures w-24! text-center text-lg! font-semibold")}
        />
        <StepButton
          name={more}
          disabled={value >= most}
          onClick={() => take(Math.min(most, Math.floor(value / step) * step + step))}
        >
          <Plus aria-hidden className="size-5" />
        </StepButton>
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

type StepButtonProps = {
  name: string
  disabled: boolean
  onClick: () => void
  children: ReactNode
}

function StepButton({ name, disabled, onClick, children }: StepButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      disabled={disabled}
      onClick={onClick}
      className={clsx(buttonLook({ variant: "secondary", size: "icon" }), "size-11!")}
    >
      {children}
    </button>
  )
}
