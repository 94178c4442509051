import { ChevronLeft, ChevronRight } from "lucide-react"
import { useId } from "react"
import { useTranslation } from "react-i18next"
import { type PageSize, pageSizes } from "~/shared/paging"
import { Button } from "~/ui/button"
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
      <nav aria-label={t("drivers.paging.label")} className="flex items-center gap-2">
        <Button variant="secondary" size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronLeft aria-hidden className="size-4" />
          <span className="max-[26rem]:sr-only">{t("drivers.paging.previous")}</span>
        </Button>
        <p role="status" className="figures px-1 text-sm whitespace-nowrap">
          {t("drivers.paging.page", { page, pages })}
        </p>
        <Button
          variant="secondary"
          size="sm"
          disabled={page >= pages}
          onClick={() => onPage(page + 1)}
        >
          <span className="max-[26rem]:sr-only">{t("drivers.paging.next")}</span>
          <ChevronRight aria-hidden className="size-4" />
        </Button>
      </nav>
    </div>
  )
}
