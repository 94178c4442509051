import { useState } from "react"
import { useTranslation } from "react-i18next"

type PageFieldProps = { page: number; pageCount: number; onPageChange: (page: number) => void }

/** The current page as a field: another number goes there with Enter, or when it is left. */
export function PageField({ page, pageCount, onPageChange }: PageFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string | null>(null)
  const [before, after] = t("drivers.paging.page", { page: "\n", pages: pageCount }).split("\n")

  const submit = () => {
    const wanted = Number(typed ?? page)
    setTyped(null)
    if (Number.isInteger(wanted) && wanted > 0) onPageChange(Math.min(wanted, pageCount))
  }

  return (
    <span className="flex items-center gap-1.5 text-sm whitespace-nowrap">
      <span aria-hidden>{before?.trim()}</span>
      <input
        aria-label={t("drivers.paging.goTo")}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        value={typed ?? page}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, ""))}
        onFocus={(event) => event.target.select()}
        onBlur={() => typed !== null && submit()}
        onKeyDown={(event) => {
          if (event.key === "Enter") submit()
          if (event.key === "Escape") setTyped(null)
        }}
        className="figures min-h-9 w-13 rounded-md border border-line-strong bg-surface px-1 text-center font-semibold"
      />
      <span aria-hidden>{after?.trim()}</span>
    </span>
  )
}
