import { ChevronLeft, ChevronRight } from "lucide-react"
import { useTranslation } from "react-i18next"
import { Button } from "~/ui/button"

type ListPagesProps = { page: number; pages: number; onPage: (page: number) => void }

export function ListPages({ page, pages, onPage }: ListPagesProps) {
  const { t } = useTranslation()
  return (
    <nav
      aria-label={t("notifications.paging.label")}
      className="flex items-center justify-between gap-2 border-t border-line p-4"
    >
      <Button variant="secondary" size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden className="size-4" />
        {t("notifications.paging.newer")}
      </Button>
      <p role="status" className="figures px-1 text-sm whitespace-nowrap">
        {t("notifications.paging.page", { page, pages })}
      </p>
      <Button
        variant="secondary"
        size="sm"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        {t("notifications.paging.older")}
        <ChevronRight aria-hidden className="size-4" />
      </Button>
    </nav>
  )
}
