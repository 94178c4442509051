import { useId, useState } from "react"
import { useTranslation } from "react-i18next"
import { Pagination } from "~/ui/pagination"
import { Select } from "~/ui/select"
import { type PageSize, pageSizes } from "./list-view"

type TablePaginationProps = {
  page: number
  pageCount: number
  pageSize: PageSize
  onPageChange: (page: number) => void
  onPageSizeChange: (pageSize: PageSize) => void
  dense: boolean
  onDenseChange: (dense: boolean) => void
}

export function TablePagination({
  page,
  pageCount,
  pageSize,
  onPageChange,
  onPageSizeChange,
  dense,
  onDenseChange,
}: TablePaginationProps) {
  const { t } = useTranslation()
  const sizeId = useId()

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-4">
      <div className="flex items-center gap-2.5">
        <label htmlFor={sizeId} className="text-sm text-ink-soft">
          {t("drivers.paging.size")}
        </label>
        <Select
          id={sizeId}
          value={pageSize}
          onChange={(event) => {
            const selected = pageSizes.find((one) => one === Number(event.target.value))
            if (selected) onPageSizeChange(selected)
          }}
        >
          {pageSizes.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
        <label className="ml-3 flex min-h-9 cursor-pointer items-center gap-2 text-sm text-ink-soft @max-table:hidden">
          <input
            type="checkbox"
            checked={dense}
            onChange={({ target }) => onDenseChange(target.checked)}
            className="size-6 choice"
          />
          {t("drivers.paging.dense")}
        </label>
      </div>
      <Pagination
        label={t("drivers.paging.label")}
        previousLabel={t("drivers.paging.previous")}
        nextLabel={t("drivers.paging.next")}
        page={page}
        pageCount={pageCount}
        onPageChange={onPageChange}
        field={
          pageCount > 1 && (
            <PageField page={page} pageCount={pageCount} onPageChange={onPageChange} />
          )
        }
        compact
      >
        {t("drivers.paging.page", { page, pages: pageCount })}
      </Pagination>
    </div>
  )
}

type PageFieldProps = { page: number; pageCount: number; onPageChange: (page: number) => void }

/** The current page as a field: another number goes there with Enter, or when it is left. */
function PageField({ page, pageCount, onPageChange }: PageFieldProps) {
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
