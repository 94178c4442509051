import { clsx } from "clsx"
import { type Language, languages } from "~/lib/language"

const languageNames: Record<Language, string> = { pl: "Polski", en: "English" }

type LanguageSwitchProps = {
  language: Language
  onChange: (language: Language) => void
  label: string
  onSidebar?: boolean
}

/** PL or EN; each is labelled in its own language. */
export function LanguageSwitch({ language, onChange, label, onSidebar }: LanguageSwitchProps) {
  return (
    <fieldset
      className={clsx(
        "inline-flex rounded-md border p-0.5",
        onSidebar ? "border-sidebar-line" : "border-line-strong bg-surface",
      )}
    >
      <legend className="sr-only">{label}</legend>
      {languages.map((choice) => (
        <button
          key={choice}
          type="button"
          lang={choice}
          aria-label={`${choice.toUpperCase()} – ${languageNames[choice]}`}
          aria-pressed={choice === language}
          onClick={() => onChange(choice)}
          className={clsx(
            "min-h-8 min-w-10 rounded-sm px-2 text-sm font-semibold",
            onSidebar
              ? "text-sidebar-ink-soft hover:text-sidebar-ink focus-visible:outline-sidebar-ink aria-pressed:bg-sidebar-ink aria-pressed:text-sidebar"
              : "text-ink-soft hover:text-ink aria-pressed:bg-brand aria-pressed:text-on-brand",
          )}
        >
          {choice.toUpperCase()}
        </button>
      ))}
    </fieldset>
  )
}
