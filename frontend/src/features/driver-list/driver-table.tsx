import { clsx } from "clsx"
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react"
import {
  type ReactNode,
  type KeyboardEvent as RowKeyEvent,
  useEffect,
  useRef,
  useState,
} from "react"
import { useTranslation } from "react-i18next"
import { useParams } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { DriverRow, rowLinks } from "./driver-row"
import { type DriverSort, type SortKey, sortKeys } from "./list-order"
import type { RowActions } from "./row-buttons"
import type { DailyCheck } from "./row-facts"
import { type DriverSelection, PageSelectionBox } from "./selection"

type DriverTableProps = RowActions & {
  drivers: readonly DriverSummaryOut[]
  today: string
  sort: DriverSort | null
  onSort: (key: SortKey) => void
  selection: DriverSelection
  dailyCheck: DailyCheck
  dense: boolean
}

// Fixed, so that no column moves with the page or the sort; the status takes the remaining width.
// From 60 rem on, the width that a laptop leaves, no head and no date needs a second line.
const columnWidths = {
  firstName: "@table:w-[max(6.875rem,14cqi)] @min-[80rem]:w-[11rem]",
  lastName: "@table:w-[max(7rem,12cqi)] @min-[80rem]:w-[10rem] beside:max-2xl:w-40",
  licenseNumber: "@table:w-24 @min-[60rem]:w-37 beside:max-2xl:hidden",
  status: "",
  validUntil: "@table:w-26 @min-[80rem]:w-42",
  categories: "@table:w-40 @table:@max-[76rem]:hidden",
  lastVerification: "@table:w-26 @min-[60rem]:w-34 @min-[80rem]:w-39 beside:max-2xl:hidden",
  actions: "@table:w-21 beside:max-2xl:hidden",
}

const headClass =
  "font-semibold @table:sticky @table:z-10 @table:bg-surface @table:shadow-[inset_0_-1px_0_var(--color-line)] tall:@table:top-(--head-top)"
/** By which the cards are sorted, too. */
const cardKeys = ["firstName", "lastName", "licenseNumber", "status"] as const

/**
 * The rows are cards where the table has no room, and on phones one icon stands for "sort by" where
 * none shows the order. The
 * roles are explicit because `display` removes them. One row at a time is in the order of Tab; the
 * arrow keys move to another.
 */
export function DriverTable(props: DriverTableProps) {
  const { drivers, today, sort, onSort, selection, dailyCheck, dense, ...actions } = props
  const { t } = useTranslation()
  const { driverId } = useParams() // of the driver beside the list
  const rows = useRef<HTMLTableSectionElement>(null)
  useEffect(() => {
    if (!driverId) return
    // Once the list has the width that the panel leaves it.
    const frame = requestAnimationFrame(() =>
      rows.current?.querySelector("[aria-current]")?.scrollIntoView?.({ block: "nearest" }),
    )
    return () => cancelAnimationFrame(frame)
  }, [driverId])
  useEffect(() => {
    const enter = (event: KeyboardEvent) => {
      const isFresh = document.activeElement?.matches("body, h1, #content")
      const first = rows.current && rowLinks(rows.current)[0]
      if (event.key !== "ArrowDown" || !isFresh || !first || document.querySelector("[aria-modal]"))
        return
      event.preventDefault()
      first.focus()
    }
    document.addEventListener("keydown", enter)
    return () => document.removeEventListener("keydown", enter)
  }, [])
  const [focusedId, setFocusedId] = useState<string>()
  const current = drivers.find(({ id }) => id === focusedId) ?? drivers[0]
  const rowKeys = useRowKeys(drivers, focusedId)

  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table
      role="table"
      data-dense={dense || undefined}
      data-choosing={selection.selected.length > 0 || undefined}
      aria-label={t("drivers.table")}
      className="group/table w-full table-fixed text-left @max-table:block @table:text-sm @table:leading-tight"
    >
      <thead role="rowgroup" className="@max-table:block">
        <tr
          role="row"
          data-label={t("drivers.tableSort")}
          className="text-xs text-ink-soft @max-table:flex @max-table:items-center @max-table:gap-x-1 @max-table:overflow-x-auto @max-table:border-b @max-table:border-line @max-table:px-3 @max-table:py-1.5 @max-table:whitespace-nowrap @max-table:before:mr-1 @max-table:before:content-[attr(data-label)] @max-card:gap-x-[clamp(0px,(100cqi-20.5rem)/6,0.75rem)] @max-card:pr-0.5 @max-card:before:content-none"
        >
          {sortKeys.map((key) => (
            <SortHeader key={key} column={key} sort={sort} onSort={onSort}>
              {key === "firstName" && <PageSelectionBox selection={selection} drivers={drivers} />}
            </SortHeader>
          ))}
          <th
            data-no-print
            role="columnheader"
            scope="col"
            className={clsx(
              headClass,
              columnWidths.actions,
              "py-2 pr-4 text-right @max-table:sr-only",
            )}
          >
            {t("drivers.columns.actions")}
          </th>
        </tr>
      </thead>
      <tbody ref={rows} role="rowgroup" className="@max-table:block" onKeyDown={moveBetweenRows}>
        {drivers.map((driver, at) => (
          <DriverRow
            key={rowKeys[at]}
            t={t}
            driver={driver}
            today={today}
            isTabStop={driver === current}
            isOpen={driver.id === driverId}
            onFocus={setFocusedId}
            isSelected={selection.isSelected(driver)}
            onSelect={selection.select}
            dailyCheck={dailyCheck}
            {...actions}
          />
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  )
}

/**
 * The keys of the rows by their place: a row that takes another driver is much cheaper than a new
 * one. The row with the focus, or an open menu, stays its driver's.
 */
function useRowKeys(
  drivers: readonly DriverSummaryOut[],
  focusedId: string | undefined,
): readonly number[] {
  const [rows, setRows] = useState<{ drivers: typeof drivers; keys: readonly number[] }>()
  if (rows?.drivers === drivers) return rows.keys
  const { keys: before = [], drivers: leaving = [] } = rows ?? {}
  const focused = before[leaving.findIndex(({ id }) => id === focusedId)]
  const free = before.filter((key) => key !== focused)
  let last = Math.max(-1, ...before)
  const keys = drivers.map(({ id }) => (id === focusedId ? focused : free.shift()) ?? ++last)
  setRows({ drivers, keys })
  return keys
}

/**
 * Moves the focus to the link of another row with the arrow keys, Home and End; Space and X on the
 * link choose the row.
 */
function moveBetweenRows(event: RowKeyEvent<HTMLTableSectionElement>) {
  const links = rowLinks(event.currentTarget)
  const at = links.findIndex((link) => link.closest("tr")?.contains(event.target as Node))
  const moves: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: links.length - 1,
  }
  const next = moves[event.key]
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return
  if ([" ", "x"].includes(event.key) && links.includes(event.target as HTMLElement)) {
    event.preventDefault()
    links[at]?.closest("tr")?.querySelector<HTMLElement>("[type=checkbox]")?.click()
  }
  if (next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}

type SortHeaderProps = {
  column: SortKey
  sort: DriverSort | null
  onSort: (key: SortKey) => void
  /** Before the label; above cards at the left edge of the row. */
  children?: ReactNode
}

function SortHeader({ column, sort, onSort, children }: SortHeaderProps) {
  const { t } = useTranslation()
  const sorted = sort?.key === column
  const label = t(`drivers.columns.${column}`)
  const cardKey = cardKeys.find((one) => one === column)
  const shortLabel = cardKey ? t(`drivers.sortBy.${cardKey}`) : label // for phones
  const isShortened = shortLabel !== label
  // The sort icon stays on the line of the last word when the label wraps.
  const labelWords = label.split(" ")
  const lastWord = labelWords.pop()
  const Icon = !sorted ? ArrowUpDown : sort.descending ? ArrowDown : ArrowUp

  return (
    <th
      // biome-ignore lint/a11y/noRedundantRoles: `display` takes the role away on small screens
      role="columnheader"
      scope="col"
      aria-sort={!sorted ? "none" : sort.descending ? "descending" : "ascending"}
      className={clsx(
        headClass,
        "@max-table:p-0 @table:py-0.5 @table:first:pl-2",
        !cardKey && "@max-table:hidden",
        columnWidths[column],
        children && "@max-table:contents",
      )}
    >
      <span className={clsx("flex items-center gap-1.5", children && "@max-table:contents")}>
        {children}
        {children && !sort && (
          <ArrowUpDown aria-hidden className="mr-1 hidden size-3.5 shrink-0 @max-card:block" />
        )}
        <button
          type="button"
          onClick={() => onSort(column)}
          className={clsx(
            // Under the bar of the chosen drivers, which stands over the head.
            "@table:group-data-choosing/table:invisible",
            children ? "px-0" : "px-1.5", // as wide a gap as in the rows, and room for a fingertip
            column === "lastVerification" && "pr-0", // the label has the width of the column
            "min-h-9 rounded-md text-left hover:bg-sunken hover:text-ink @max-table:px-1 @max-table:first:-ml-1 @max-card:first:ml-0",
            sorted && "text-ink",
          )}
        >
          {isShortened && (
            <span
              aria-hidden
              data-label={shortLabel}
              className="hidden before:content-[attr(data-label)] @max-card:inline"
            />
          )}
          <span className={clsx(isShortened && "@max-card:sr-only")}>{labelWords.join(" ")} </span>
          <span className="whitespace-nowrap">
            <span className={clsx(isShortened && "@max-card:sr-only")}>{lastWord}</span>
            <Icon
              aria-hidden
              className={clsx(
                "ml-1 inline size-3.5 align-[-0.2em]",
                !sorted && "opacity-75 @max-card:hidden",
                !sorted && column === "lastVerification" && "@table:hidden",
              )}
            />
          </span>
        </button>
      </span>
    </th>
  )
}
