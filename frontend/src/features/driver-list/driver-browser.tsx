import { Keyboard, ListChecks, SearchX } from "lucide-react"
import { useLayoutEffect, useMemo, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { useParams } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { findDailyCheck } from "~/entities/driver/driver"
import { type DriverFilter, groupDrivers, isExpiryGroup } from "~/entities/driver/driver-filter"
import { usePrinting } from "~/hooks/use-printing"
import { useProductToday } from "~/hooks/use-product-now"
import { useShortcuts } from "~/hooks/use-shortcuts"
import { countDriversAs } from "~/lib/plurals"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { EmptyState } from "~/ui/empty-state"
import { rowLinks } from "./driver-row"
import { DriverTable } from "./driver-table"
import { FilterBar } from "./filter-bar"
import { ListDownload } from "./list-download"
import { defaultSort, filterDrivers, sortByExpiry, sortDrivers, toggleSort } from "./list-order"
import { paginate, useKeptView, useListView } from "./list-view"
import type { RowActions } from "./row-buttons"
import { SearchBox } from "./search-box"
import { useDriverSelection } from "./selection"
import { SelectionBar } from "./selection-bar"
import { listKeys, ShortcutHelp } from "./shortcut-help"
import { TablePagination } from "./table-pagination"

type DriverBrowserProps = RowActions & {
  drivers: readonly DriverSummaryOut[]
  /** Called with the drivers of all pages in their order, while one is shown beside the list. */
  onListed: (driverIds: readonly string[]) => void
  /** Undefined without an active subscription. */
  onAdd: (() => void) | undefined
}

/** The driver list with groups, search, sorting and pagination, all of it in the browser. */
export function DriverBrowser({ drivers, onListed, onAdd, ...actions }: DriverBrowserProps) {
  const { t } = useTranslation()
  const today = useProductToday()
  const { kept, keep } = useKeptView()
  const [view, changeView] = useListView(kept.pageSize)
  const { filter, query, sort } = view
  const list = useRef<HTMLDivElement>(null)
  const searchInput = useRef<HTMLInputElement>(null)

  const groups = useMemo(
    () => groupDrivers(sortDrivers(drivers, defaultSort, today), today),
    [drivers, today],
  )
  const matches = useMemo(() => filterDrivers(groups[filter], query), [groups, filter, query])
  const shownSort = sort ?? (isExpiryGroup(filter) ? null : defaultSort)
  const sorted = useMemo(() => {
    if (sort) return sortDrivers(matches, sort, today)
    return isExpiryGroup(filter) ? sortByExpiry(matches, today) : matches
  }, [matches, sort, filter, today])
  const { driverId } = useParams() // of the driver beside the list
  useLayoutEffect(() => {
    if (driverId) onListed(sorted.map(({ id }) => id))
  }, [sorted, driverId, onListed])
  const current = useMemo(() => paginate(sorted, view.page, view.size), [sorted, view])
  const dailyCheck = useMemo(() => findDailyCheck(drivers), [drivers])
  const selection = useDriverSelection(matches)
  const isPrinting = usePrinting()

  const openPage = (page: number) => {
    changeView({ page })
    // From below a long page the next one would begin out of sight.
    if (list.current && list.current.getBoundingClientRect().top < 0) list.current.scrollIntoView()
  }

  return (
    <div ref={list} className="@container -mr-(--beneath)">
      {/* The search stays at the top, under the top bar of small screens, and the table's head under it. */}
      <Card className="mr-(--beneath) [--bar:3.75rem] [--head:2.5rem] [--head-top:calc(var(--top)+var(--bar))] [--top:3.5rem] lg:[--top:0rem]">
        {/* One row where there is room, else two, of which the search alone stays. */}
        <div
          data-no-print
          className="contents rounded-t-lg bg-surface tall:sticky tall:top-(--top) tall:z-20 @bar:flex @bar:border-b @bar:border-line"
        >
          <div className="flex h-(--bar) shrink-0 items-center rounded-t-lg bg-surface px-4 @max-bar:tall:sticky @max-bar:tall:top-(--top) @max-bar:tall:z-20 @bar:w-43 @bar:pr-0 @bar:pl-3 @min-[76rem]:w-76">
            <SearchBox
              query={query}
              onChange={(text) => changeView({ query: text })}
              input={searchInput}
              onLeaveDown={() => list.current && rowLinks(list.current)[0]?.focus()}
            />
          </div>
          <div className="flex min-w-0 flex-1 items-center justify-between gap-2 px-4 @bar:gap-1 @max-bar:border-b @max-bar:border-line @max-bar:pb-2 @bar:pr-2 @bar:pl-2">
            <FilterBar
              filter={filter}
              counts={countsOf(groups)}
              onChange={(one) => changeView({ filter: one })}
            />
            <span className="flex shrink-0 items-center gap-1">
              {matches.length > 0 && (
                <Button
                  variant="ghost"
                  size="sm"
                  title={t("drivers.selection.all", { count: matches.length })}
                  onClick={() => selection.select(matches, true)}
                  className="px-2! max-sm:hidden"
                  icon={ListChecks}
                >
                  <span className="sr-only">
                    {t("drivers.selection.all", { count: matches.length })}
                  </span>
                </Button>
              )}
              <ListDownload query={query} status={filter} />
            </span>
          </div>
        </div>
        <p role="status" className="px-4 py-2 text-sm text-ink-soft empty:absolute">
          {query.trim() && t("drivers.search.found", countDriversAs(matches.length))}
        </p>
        <SelectionBar selection={selection} canCheck={actions.rights.canEdit} />
        {matches.length === 0 ? (
          <NoMatch
            filter={filter}
            query={query.trim()}
            onClearQuery={() => changeView({ query: "" })}
            onShowAll={() => changeView({ filter: "all" })}
          />
        ) : (
          <DriverTable
            drivers={isPrinting ? sorted : current.rows}
            today={today}
            sort={shownSort}
            selection={selection}
            dailyCheck={dailyCheck}
            dense={kept.denseRows}
            onSort={(key) => changeView({ sort: toggleSort(shownSort, key) })}
            {...actions}
          />
        )}
        <div data-no-print>
          <TablePagination
            page={current.page}
            pageCount={current.pages}
            pageSize={view.size}
            onPageChange={openPage}
            onPageSizeChange={(size) => {
              changeView({ size })
              keep({ pageSize: size })
            }}
            dense={kept.denseRows}
            onDenseChange={(denseRows) => keep({ denseRows })}
          />
        </div>
      </Card>
      <div
        data-no-print
        className="mt-2 mr-(--beneath) flex flex-wrap items-center justify-end gap-2"
      >
        <Shortcuts
          onSearch={() => {
            searchInput.current?.focus()
            searchInput.current?.select()
          }}
          onAdd={onAdd}
        />
      </div>
    </div>
  )
}

function countsOf(groups: Record<DriverFilter, readonly unknown[]>): Record<DriverFilter, number> {
  const counts = Object.entries(groups).map(([group, members]) => [group, members.length])
  return Object.fromEntries(counts) as Record<DriverFilter, number>
}

type NoMatchProps = {
  filter: DriverFilter
  query: string
  onClearQuery: () => void
  onShowAll: () => void
}

function NoMatch({ filter, query, onClearQuery, onShowAll }: NoMatchProps) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={SearchX}
      title={query ? t("drivers.noMatch.title", { query }) : t("drivers.noMatch.groupTitle")}
      action={
        <span className="flex flex-wrap justify-center gap-3">
          {query && (
            <Button variant="secondary" size="sm" onClick={onClearQuery}>
              {t("drivers.clearSearch")}
            </Button>
          )}
          {filter !== "all" && (
            <Button variant="secondary" size="sm" onClick={onShowAll}>
              {t("drivers.noMatch.showAll")}
            </Button>
          )}
        </span>
      }
    >
      {query && t("drivers.noMatch.text")}
    </EmptyState>
  )
}

type ShortcutsProps = { onSearch: () => void; onAdd: (() => void) | undefined }

/** The keys of the list, and the button that shows them where there is likely a keyboard. */
function Shortcuts({ onSearch, onAdd }: ShortcutsProps) {
  const { t } = useTranslation()
  const [helpOpen, setHelpOpen] = useState(false)
  const openHelp = () => setHelpOpen(true)
  useShortcuts({ "/": onSearch, "?": openHelp, n: onAdd })

  return (
    <>
      <span className="pointer-coarse:hidden">
        <Button variant="ghost" size="sm" onClick={openHelp} icon={Keyboard}>
          {t("drivers.keys.title")}
        </Button>
      </span>
      <ShortcutHelp names={listKeys} open={helpOpen} onClose={() => setHelpOpen(false)} />
    </>
  )
}
