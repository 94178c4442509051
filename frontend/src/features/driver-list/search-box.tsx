import { Search, X } from "lucide-react"
import type { KeyboardEvent, RefObject } from "react"
import { useTranslation } from "react-i18next"
import { Button } from "~/ui/button"
import { inputStyles } from "~/ui/field"

type SearchBoxProps = {
  query: string
  onChange: (query: string) => void
  input: RefObject<HTMLInputElement | null>
  /** After the arrow key that leads down to the list. */
  onLeaveDown: () => void
}

export function SearchBox({ query, onChange, input, onLeaveDown }: SearchBoxProps) {
  const { t } = useTranslation()

  const clear = () => {
    onChange("")
    input.current?.focus()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") clear()
    if (event.key === "ArrowDown") {
      event.preventDefault()
      onLeaveDown()
    }
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: supported browsers lack <search>
    <div role="search" className="relative w-full max-w-sm">
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
        onKeyDown={handleKey}
        className={`${inputStyles} pr-11 pl-10 text-ellipsis placeholder-shown:pr-3`}
      />
      {query && (
        <Button
          variant="ghost"
          size="icon"
          aria-label={t("drivers.clearSearch")}
          onClick={clear}
          className="absolute inset-y-0 right-0.5 my-auto"
          icon={X}
        />
      )}
    </div>
  )
}
