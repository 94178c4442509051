import { SearchX } from "lucide-react"
import { useMemo, useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverOut } from "~/api/types.gen"
import { type PageSize, pageOf } from "~/shared/paging"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { Empty } from "~/ui/empty"
import { DriverTable, type RowActions } from "./driver-table"
import { Paging } from "./paging"
import { SearchBox } from "./search-box"
import { findDrivers } from "./searching"
import { nextSorting, type Sorting, sortDrivers } from "./sorting"

type DriverBrowserProps = RowActions & { drivers: readonly DriverOut[]; initialQuery: string }

/** The list with its search box, its order and its pages; all three happen in the browser. */
export function DriverBrowser({ drivers, initialQuery, ...actions }: DriverBrowserProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState(initialQuery)
  const [sorting, setSorting] = useState<Sorting>(null)
  const [page, setPage] = useState(1)
  const [size, setSize] = useState<PageSize>(10)

  const found = useMemo(() => findDrivers(drivers, query), [drivers, query])
  const sorted = useMemo(() => sortDrivers(found, sorting), [found, sorting])
  const shown = pageOf(sorted, page, size)

  const search = (text: string) => {
    setQuery(text)
    setPage(1)
  }

  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line p-4">
        <SearchBox query={query} onChange={search} />
        <p role="status" className="text-sm text-ink-soft empty:absolute">
          {query.trim() && t("drivers.search.found", { count: found.length })}
        </p>
      </div>
      {found.length === 0 ? (
        <Empty
          icon={SearchX}
          title={t("drivers.noMatch.title", { query: query.trim() })}
          action={
            <Button variant="secondary" size="sm" onClick={() => search("")}>
              {t("drivers.clearSearch")}
            </Button>
          }
        >
          {t("drivers.noMatch.text")}
        </Empty>
      ) : (
        <DriverTable
          drivers={shown.rows}
          sorting={sorting}
          onSort={(key) => setSorting(nextSorting(sorting, key))}
          {...actions}
        />
      )}
      <Paging
        page={shown.page}
        pages={shown.pages}
        size={size}
        onPage={setPage}
        onSize={(next) => {
          setSize(next)
          setPage(1)
        }}
      />
    </Card>
  )
}
