import { clsx } from "clsx"
import { type Language, languages } from "~/shared/language"

const names: Record<Language, string> = { pl: "Polski", en: "English" }

type LanguageSwitchProps = {
  language: Language
  onChange: (language: Language) => void
  label: string
  onRail?: boolean
}

/** PL or EN; each is named in its own language. */
export function LanguageSwitch({ language, onChange, label, onRail }: LanguageSwitchProps) {
  return (
    <fieldset
      className={clsx(
        "inline-flex rounded-md border p-0.5",
        onRail ? "border-rail-line" : "border-line-strong bg-surface",
      )}
    >
      <legend className="sr-only">{label}</legend>
      {languages.map((choice) => (
        <button
          key={choice}
          type="button"
          lang={choice}
          aria-label={`${choice.toUpperCase()} – ${names[choice]}`}
          aria-pressed={choice === language}
          onClick={() => onChange(choice)}
          className={clsx(
            "min-h-8 min-w-10 rounded-sm px-2 text-sm font-semibold",
            onRail
              ? "text-rail-ink-soft hover:text-rail-ink focus-visible:outline-rail-ink aria-pressed:bg-rail-ink aria-pressed:text-rail"
              : "text-ink-soft hover:text-ink aria-pressed:bg-brand aria-pressed:text-on-brand",
          )}
        >
          {choice.toUpperCase()}
        </button>
      ))}
    </fieldset>
  )
}
