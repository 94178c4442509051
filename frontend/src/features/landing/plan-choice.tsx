import { clsx } from "clsx"
import { useId } from "react"
import { buttonStyles } from "~/ui/button"
import { interpolate } from "./prices"
import type { LandingTexts } from "./texts"

const popularLimits = [5, 10, 20, 50]

type PlanChoiceProps = {
  texts: LandingTexts["pricing"]["plans"]
  /** The highest limit that can be ordered, formatted. */
  most: string
  limit: number
  onChange: (limit: number) => void
}

/** Popular driver limits, each a button; for more than can be ordered, the way to the contact form. */
export function PlanChoice({ texts, most, limit, onChange }: PlanChoiceProps) {
  const labelId = useId()
  const style = clsx(
    buttonStyles({ variant: "secondary", size: "sm" }),
    "whitespace-nowrap aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-strong",
  )
  return (
    <div className="mt-6">
      <p id={labelId} className="text-sm font-semibold">
        {texts.label}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be laid out so */}
      <div role="group" aria-labelledby={labelId} className="mt-2 flex flex-wrap gap-2">
        {popularLimits.map((popular) => (
          <button
            key={popular}
            type="button"
            aria-pressed={popular === limit}
            onClick={() => onChange(popular)}
            className={style}
          >
            {interpolate(texts.upTo, { limit: String(popular) })}
          </button>
        ))}
        <a href="#contact" className={style}>
          {texts.unlimited}
        </a>
      </div>
      <p className="mt-2 text-sm text-pretty text-ink-soft">{interpolate(texts.hint, { most })}</p>
    </div>
  )
}
