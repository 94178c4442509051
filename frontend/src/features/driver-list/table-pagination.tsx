import { useId } from "react"
import { useTranslation } from "react-i18next"
import { type PageSize, pageSizes } from "~/lib/pagination"
import { Pagination } from "~/ui/pagination"
import { Select } from "~/ui/select"
import { PageField } from "./page-field"

type TablePaginationProps = {
  page: number
  pageCount: number
  pageSize: PageSize
  onPageChange: (page: number) => void
  onPageSizeChange: (pageSize: PageSize) => void
}

export function TablePagination({
  page,
  pageCount,
  pageSize,
  onPageChange,
  onPageSizeChange,
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
