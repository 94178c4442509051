import { Search, X } from "lucide-react"
import { useRef } from "react"
import { useTranslation } from "react-i18next"
import { Button } from "~/ui/button"
import { inputStyles } from "~/ui/field"

type SearchBoxProps = { query: string; onChange: (query: string) => void }

export function SearchBox({ query, onChange }: SearchBoxProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)

  const clear = () => {
    onChange("")
    input.current?.focus()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: supported browsers lack <search>
    <div role="search" className="relative w-full sm:max-w-sm">
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-ink-soft"
      />
      <input
        ref={input}
        type="text"
        inputMode="search"
        aria-label={t("drivers.search.label")}
        placeholder={t("drivers.search.placeholder")}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && clear()}
        className={`${inputStyles} pr-11 pl-10`}
      />
      {query && (
        <Button
          variant="ghost"
          size="icon"
          aria-label={t("drivers.clearSearch")}
          onClick={clear}
          className="absolute inset-y-0 right-0.5 my-auto"
        >
          <X aria-hidden className="size-5" />
        </Button>
      )}
    </div>
  )
}
