import { SearchX } from "lucide-react"
import { useMemo, useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { type PageSize, paginate } from "~/lib/pagination"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { EmptyState } from "~/ui/empty-state"
import { filterDrivers } from "./driver-search"
import { type DriverSort, sortDrivers, toggleSort } from "./driver-sort"
import { DriverTable, type RowActions } from "./driver-table"
import { SearchBox } from "./search-box"
import { TablePagination } from "./table-pagination"

type DriverBrowserProps = RowActions & {
  drivers: readonly DriverSummaryOut[]
  initialQuery: string
}

/** The driver list with search, sorting and pagination, all of it in the browser. */
export function DriverBrowser({ drivers, initialQuery, ...actions }: DriverBrowserProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState(initialQuery)
  const [sort, setSort] = useState<DriverSort>(null)
  const [page, setPage] = useState(1)
  const [pageSize, setPageSize] = useState<PageSize>(10)

  const matches = useMemo(() => filterDrivers(drivers, query), [drivers, query])
  const sorted = useMemo(() => sortDrivers(matches, sort), [matches, sort])
  const current = paginate(sorted, page, pageSize)

  const search = (text: string) => {
    setQuery(text)
    setPage(1)
  }

  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line p-4">
        <SearchBox query={query} onChange={search} />
        <p role="status" className="text-sm text-ink-soft empty:absolute">
          {query.trim() && t("drivers.search.found", { count: matches.length })}
        </p>
      </div>
      {matches.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={t("drivers.noMatch.title", { query: query.trim() })}
          action={
            <Button variant="secondary" size="sm" onClick={() => search("")}>
              {t("drivers.clearSearch")}
            </Button>
          }
        >
          {t("drivers.noMatch.text")}
        </EmptyState>
      ) : (
        <DriverTable
          drivers={current.rows}
          sort={sort}
          onSort={(key) => setSort(toggleSort(sort, key))}
          {...actions}
        />
      )}
      <TablePagination
        page={current.page}
        pageCount={current.pages}
        pageSize={pageSize}
        onPageChange={setPage}
        onPageSizeChange={(next) => {
          setPageSize(next)
          setPage(1)
        }}
      />
    </Card>
  )
}
