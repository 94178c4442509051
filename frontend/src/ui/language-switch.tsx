import { clsx } from "clsx"
import { type Language, languages } from "~/lib/language"

const languageNames: Record<Language, string> = { pl: "Polski", en: "English" }

type LanguageSwitchProps = {
  language: Language
  onChange: (language: Language) => void
  label: string
  onSidebar?: boolean
  /** The page in each language, where it has a page of its own: links instead of buttons. */
  pages?: Record<Language, string>
}

/** PL or EN; each is labelled in its own language. */
export function LanguageSwitch({
  language,
  onChange,
  label,
  onSidebar,
  pages,
}: LanguageSwitchProps) {
  const propsOf = (choice: Language) => ({
    lang: choice,
    "aria-label": `${choice.toUpperCase()} – ${languageNames[choice]}`,
    onClick: () => onChange(choice),
    className: clsx(
      "inline-flex min-h-8 min-w-10 items-center justify-center rounded-sm px-2 text-sm font-semibold",
      onSidebar
        ? "text-sidebar-ink-soft hover:text-sidebar-ink focus-visible:outline-sidebar-ink aria-pressed:bg-sidebar-ink aria-pressed:text-sidebar"
        : "text-ink-soft hover:text-ink aria-[current]:bg-brand aria-[current]:text-on-brand aria-pressed:bg-brand aria-pressed:text-on-brand",
    ),
  })
  return (
    <fieldset
      className={clsx(
        "inline-flex rounded-md border p-0.5",
        onSidebar ? "border-sidebar-line" : "border-line-strong bg-surface",
      )}
    >
      <legend className="sr-only">{label}</legend>
      {languages.map((choice) =>
        pages ? (
          <a
            key={choice}
            {...propsOf(choice)}
            href={pages[choice]}
            hrefLang={choice}
            aria-current={choice === language ? "true" : undefined}
          >
            {choice.toUpperCase()}
          </a>
        ) : (
          <button
            key={choice}
            type="button"
            {...propsOf(choice)}
            aria-pressed={choice === language}
          >
            {choice.toUpperCase()}
          </button>
        ),
      )}
    </fieldset>
  )
}
