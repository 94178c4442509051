import { clsx } from "clsx"
import type { LucideIcon } from "lucide-react"
import { type ReactNode, useId } from "react"

export type RadioCard<Value extends string> = {
  value: Value
  title: ReactNode
  hint?: ReactNode
  icon?: LucideIcon
  /** At the right edge, such as a price. */
  trailing?: ReactNode
  /** Shown while the option is selected. */
  details?: ReactNode
}

type RadioCardsProps<Value extends string> = {
  legend: string
  options: readonly RadioCard<Value>[]
  selected: Value | undefined
  onSelect: (value: Value) => void
}

/** A radio group whose options are cards with a hint. */
export function RadioCards<Value extends string>({
  legend,
  options,
  selected,
  onSelect,
}: RadioCardsProps<Value>) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">{legend}</legend>
      <div className="flex flex-col gap-2">
        {options.map((choice) => (
          <Option
            key={choice.value}
            {...choice}
            name={name}
            checked={choice.value === selected}
            onSelect={() => onSelect(choice.value)}
          />
        ))}
      </div>
    </fieldset>
  )
}

type OptionProps = RadioCard<string> & { name: string; checked: boolean; onSelect: () => void }

function Option({
  name,
  value,
  title,
  hint,
  icon: Icon,
  trailing,
  details,
  checked,
  onSelect,
}: OptionProps) {
  const id = useId()
  return (
    <div
      className={clsx(
        "rounded-md border px-3.5",
        checked ? "border-brand bg-brand-soft" : "border-line-strong hover:bg-sunken",
      )}
    >
      <label className="flex min-h-11 cursor-pointer items-start gap-3 py-2.5">
        <input
          type="radio"
          name={name}
          value={value}
          checked={checked}
          onChange={onSelect}
          aria-labelledby={`${id}-title`}
          aria-describedby={clsx(hint && `${id}-hint`, trailing && `${id}-end`) || undefined}
          className="mt-0.75 size-5 shrink-0 choice"
        />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span id={`${id}-title`} className="font-semibold wrap-anywhere">
              {title}
            </span>
            {trailing && (
              <span id={`${id}-end`} className="figures font-semibold whitespace-nowrap">
                {trailing}
              </span>
            )}
          </span>
          {hint && (
            <span id={`${id}-hint`} className="block text-sm text-ink-soft">
              {hint}
            </span>
          )}
        </span>
        {Icon && <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />}
      </label>
      {checked && details && <div className="pb-3.5 pl-8">{details}</div>}
    </div>
  )
}
