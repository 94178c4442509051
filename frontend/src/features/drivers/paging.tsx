import { useId } from "react"
import { useTranslation } from "react-i18next"
import { type PageSize, pageSizes } from "~/shared/paging"
import { PageTurner } from "~/ui/page-turner"
import { Select } from "~/ui/select"

type PagingProps = {
  page: number
  pages: number
  size: PageSize
  onPage: (page: number) => void
  onSize: (size: PageSize) => void
}

export function Paging({ page, pages, size, onPage, onSize }: PagingProps) {
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
          value={size}
          onChange={(event) => {
            const chosen = pageSizes.find((one) => one === Number(event.target.value))
            if (chosen) onSize(chosen)
          }}
        >
          {pageSizes.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
      </div>
      <PageTurner
        label={t("drivers.paging.label")}
        previous={t("drivers.paging.previous")}
        next={t("drivers.paging.next")}
        page={page}
        pages={pages}
        onPage={onPage}
        tight
      >
        {t("drivers.paging.page", { page, pages })}
      </PageTurner>
    </div>
  )
}
