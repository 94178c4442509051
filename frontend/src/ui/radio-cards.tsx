import { clsx } from "clsx"
import type { LucideIcon } from "lucide-react"
import { type ReactNode, useId } from "react"

export type RadioCard<Value extends string> = {
  value: Value
  title: ReactNode
  hint?: ReactNode
  icon?: LucideIcon
  /** Stands at the right edge: what it costs. */
  end?: ReactNode
  /** What belongs to this choice alone, shown while it is the chosen one. */
  more?: ReactNode
}

type RadioCardsProps<Value extends string> = {
  legend: string
  choices: readonly RadioCard<Value>[]
  chosen: Value | undefined
  onChoose: (value: Value) => void
}

/** One of a few, each with a line that explains it. */
export function RadioCards<Value extends string>({
  legend,
  choices,
  chosen,
  onChoose,
}: RadioCardsProps<Value>) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">{legend}</legend>
      <div className="flex flex-col gap-2">
        {choices.map((choice) => (
          <Choice
            key={choice.value}
            {...choice}
            name={name}
            checked={choice.value === chosen}
            onChoose={() => onChoose(choice.value)}
          />
        ))}
      </div>
    </fieldset>
  )
}

type ChoiceProps = RadioCard<string> & { name: string; checked: boolean; onChoose: () => void }

function Choice({
  name,
  value,
  title,
  hint,
  icon: Icon,
  end,
  more,
  checked,
  onChoose,
}: ChoiceProps) {
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
          onChange={onChoose}
          aria-labelledby={`${id}-title`}
          aria-describedby={clsx(hint && `${id}-hint`, end && `${id}-end`) || undefined}
          className="mt-0.75 size-5 shrink-0 accent-brand"
        />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span id={`${id}-title`} className="font-semibold wrap-anywhere">
              {title}
            </span>
            {end && (
              <span id={`${id}-end`} className="figures font-semibold whitespace-nowrap">
                {end}
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
      {checked && more && <div className="pb-3.5 pl-8">{more}</div>}
    </div>
  )
}
