import { clsx } from "clsx"
import { ArrowDown, ArrowUp, ArrowUpDown, History, Pencil, Trash2 } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { DriverStatusBadges } from "~/entities/driver/document-badge"
import { fullName, latestVerification } from "~/entities/driver/driver"
import { formatDateTime } from "~/lib/dates"
import { Button } from "~/ui/button"
import type { DriverSort, SortKey } from "./driver-sort"

export type RowActions = {
  onHistory: (driver: DriverSummaryOut) => void
  /** Undefined without an active subscription, when nothing may be edited. */
  onEdit: ((driver: DriverSummaryOut) => void) | undefined
  onDelete: (driver: DriverSummaryOut) => void
}

type DriverTableProps = RowActions & {
  drivers: readonly DriverSummaryOut[]
  sort: DriverSort
  onSort: (key: SortKey) => void
}

const sortableColumns = ["firstName", "lastName", "licenseNumber", "status"] as const

// On small screens the rows are cards. The roles are explicit because `display` removes them.
export function DriverTable({ drivers, sort, onSort, ...actions }: DriverTableProps) {
  const { t } = useTranslation()
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table role="table" aria-label={t("drivers.table")} className="w-full text-left max-lg:block">
      <thead role="rowgroup" className="max-lg:block">
        <tr
          role="row"
          data-label={t("drivers.tableSort")}
          className="border-b border-line text-sm text-ink-soft max-lg:before:mr-1 max-lg:before:text-xs max-lg:before:content-[attr(data-label)] max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-1 max-lg:px-4 max-lg:py-1.5"
        >
          {sortableColumns.map((key) => (
            <SortHeader key={key} column={key} sort={sort} onSort={onSort} />
          ))}
          <th role="columnheader" scope="col" className="px-3 py-2 font-semibold max-lg:sr-only">
            {t("drivers.columns.lastVerification")}
          </th>
          <th
            role="columnheader"
            scope="col"
            className="px-4 py-2 text-right font-semibold max-lg:sr-only"
          >
            {t("drivers.columns.actions")}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-lg:block">
        {drivers.map((driver) => (
          <DriverRow key={driver.id} driver={driver} {...actions} />
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  )
}

type SortHeaderProps = { column: SortKey; sort: DriverSort; onSort: (key: SortKey) => void }

function SortHeader({ column, sort, onSort }: SortHeaderProps) {
  const { t } = useTranslation()
  const sorted = sort?.key === column
  // The sort icon stays on the line of the last word when the label wraps.
  const labelWords = t(`drivers.columns.${column}`).split(" ")
  const lastWord = labelWords.pop()
  const Icon = !sorted ? ArrowUpDown : sort.descending ? ArrowDown : ArrowUp

  return (
    <th
      // biome-ignore lint/a11y/noRedundantRoles: `display` takes the role away on small screens
      role="columnheader"
      scope="col"
      aria-sort={!sorted ? "none" : sort.descending ? "descending" : "ascending"}
      className="px-1 py-1 font-semibold first:pl-2 max-lg:p-0 max-lg:first:pl-0"
    >
      <button
        type="button"
        onClick={() => onSort(column)}
        className={clsx(
          "min-h-9 rounded-md px-2 text-left hover:bg-sunken hover:text-ink max-lg:px-1 max-lg:first:-ml-1",
          sorted && "text-ink",
        )}
      >
        {labelWords.join(" ")}{" "}
        <span className="whitespace-nowrap">
          {lastWord}
          <Icon
            aria-hidden
            className={clsx("ml-1.5 inline size-4 align-[-0.2em]", !sorted && "opacity-45")}
          />
        </span>
      </button>
    </th>
  )
}

function DriverRow({
  driver,
  onHistory,
  onEdit,
  onDelete,
}: RowActions & { driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  const latest = latestVerification(driver)
  const name = fullName(driver)
  const withheld = latest?.status === "invalid"
  const cellClass = "px-3 py-1.5 align-middle max-lg:p-0"

  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: `display` takes the roles away on small screens
    <tr
      role="row"
      data-withheld={withheld || undefined}
      className={clsx(
        "border-b border-line last:border-b-0",
        "max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:items-center max-lg:gap-x-3 max-lg:px-4 max-lg:py-3",
        withheld
          ? "bg-withheld-soft shadow-[inset_5px_0_0_var(--color-withheld)]"
          : "hover:bg-sunken/60",
      )}
    >
      <td
        role="cell"
        className={clsx(cellClass, "font-medium wrap-break-word lg:max-w-44 lg:pl-4")}
      >
        {driver.firstName}
        <span aria-hidden className="font-semibold lg:hidden">
          {" "}
          {driver.lastName}
        </span>
      </td>
      <td
        role="cell"
        className={clsx(cellClass, "font-semibold wrap-break-word max-lg:sr-only lg:max-w-52")}
      >
        {driver.lastName}
      </td>
      <td role="cell" className={clsx(cellClass, "serial max-lg:col-start-1 max-lg:row-start-2")}>
        {driver.licenseNumber}
      </td>
      <td
        role="cell"
        className={clsx(
          cellClass,
          "max-lg:col-span-2 max-lg:row-start-3 max-lg:pt-1.5 lg:max-w-72",
        )}
      >
        <DriverStatusBadges driver={driver} />
      </td>
      <td
        role="cell"
        className={clsx(
          cellClass,
          "figures text-sm max-lg:col-span-2 max-lg:row-start-4 max-lg:pt-1 max-lg:text-ink-soft",
        )}
      >
        {latest ? (
          <time dateTime={latest.verifiedAt} className="whitespace-nowrap">
            <span className="max-lg:hidden">{formatDateTime(latest.verifiedAt)}</span>
            <span className="lg:hidden">
              {t("drivers.checkedAt", { date: formatDateTime(latest.verifiedAt) })}
            </span>
          </time>
        ) : (
          <span className="text-ink-soft">{t("drivers.neverChecked")}</span>
        )}
      </td>
      <td
        role="cell"
        className={clsx(
          cellClass,
          "max-lg:col-start-2 max-lg:row-span-2 max-lg:row-start-1 lg:pr-4",
        )}
      >
        <span className="flex items-center justify-end max-lg:-mr-2">
          <Button
            variant="ghost"
            size="icon"
            title={t("drivers.history", { name })}
            aria-label={t("drivers.history", { name })}
            onClick={() => onHistory(driver)}
          >
            <History aria-hidden className="size-5" />
          </Button>
          {onEdit && (
            <Button
              variant="ghost"
              size="icon"
              title={t("drivers.edit", { name })}
              aria-label={t("drivers.edit", { name })}
              onClick={() => onEdit(driver)}
            >
              <Pencil aria-hidden className="size-5" />
            </Button>
          )}
          <Button
            variant="ghost"
            size="icon"
            title={t("drivers.delete.action", { name })}
            aria-label={t("drivers.delete.action", { name })}
            onClick={() => onDelete(driver)}
            className="hover:text-withheld-ink!"
          >
            <Trash2 aria-hidden className="size-5" />
          </Button>
        </span>
      </td>
    </tr>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
}
