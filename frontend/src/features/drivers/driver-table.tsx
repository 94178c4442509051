import { clsx } from "clsx"
import { ArrowDown, ArrowUp, ArrowUpDown, History, Pencil, Trash2 } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverOut } from "~/api/types.gen"
import { formatMoment } from "~/shared/dates"
import { DriverState } from "~/shared/document-badge"
import { latestOf } from "~/shared/document-state"
import { fullName } from "~/shared/driver-list"
import { Button } from "~/ui/button"
import type { Sorting, SortKey } from "./sorting"

export type RowActions = {
  onHistory: (driver: DriverOut) => void
  /** Absent without an active subscription: then nothing may be edited. */
  onEdit: ((driver: DriverOut) => void) | undefined
  onDelete: (driver: DriverOut) => void
}

type DriverTableProps = RowActions & {
  drivers: readonly DriverOut[]
  sorting: Sorting
  onSort: (key: SortKey) => void
}

const sortable = ["firstName", "lastName", "licenseNumber", "status"] as const

// On a small screen rows are cards. The roles are written out because `display` takes them away.
export function DriverTable({ drivers, sorting, onSort, ...actions }: DriverTableProps) {
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
          {sortable.map((key) => (
            <SortHeader key={key} column={key} sorting={sorting} onSort={onSort} />
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
          <Row key={driver.id} driver={driver} {...actions} />
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  )
}

type SortHeaderProps = { column: SortKey; sorting: Sorting; onSort: (key: SortKey) => void }

function SortHeader({ column, sorting, onSort }: SortHeaderProps) {
  const { t } = useTranslation()
  const sorted = sorting?.key === column
  // The last word takes the arrow along when the label breaks.
  const words = t(`drivers.columns.${column}`).split(" ")
  const last = words.pop()
  const Icon = !sorted ? ArrowUpDown : sorting.descending ? ArrowDown : ArrowUp

  return (
    <th
      // biome-ignore lint/a11y/noRedundantRoles: `display` takes the role away on small screens
      role="columnheader"
      scope="col"
      aria-sort={!sorted ? "none" : sorting.descending ? "descending" : "ascending"}
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
        {words.join(" ")}{" "}
        <span className="whitespace-nowrap">
          {last}
          <Icon
            aria-hidden
            className={clsx("ml-1.5 inline size-4 align-[-0.2em]", !sorted && "opacity-45")}
          />
        </span>
      </button>
    </th>
  )
}

function Row({ driver, onHistory, onEdit, onDelete }: RowActions & { driver: DriverOut }) {
  const { t } = useTranslation()
  const latest = latestOf(driver)
  const name = fullName(driver)
  const withheld = latest?.status === "invalid"
  const cell = "px-3 py-1.5 align-middle max-lg:p-0"

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
      <td role="cell" className={clsx(cell, "font-medium wrap-break-word lg:max-w-44 lg:pl-4")}>
        {driver.firstName}
        <span aria-hidden className="font-semibold lg:hidden">
          {" "}
          {driver.lastName}
        </span>
      </td>
      <td
        role="cell"
        className={clsx(cell, "font-semibold wrap-break-word max-lg:sr-only lg:max-w-52")}
      >
        {driver.lastName}
      </td>
      <td role="cell" className={clsx(cell, "serial max-lg:col-start-1 max-lg:row-start-2")}>
        {driver.licenseNumber}
      </td>
      <td
        role="cell"
        className={clsx(cell, "max-lg:col-span-2 max-lg:row-start-3 max-lg:pt-1.5 lg:max-w-72")}
      >
        <DriverState driver={driver} />
      </td>
      <td
        role="cell"
        className={clsx(
          cell,
          "figures text-sm max-lg:col-span-2 max-lg:row-start-4 max-lg:pt-1 max-lg:text-ink-soft",
        )}
      >
        {latest ? (
          <time dateTime={latest.verifiedAt} className="whitespace-nowrap">
            <span className="max-lg:hidden">{formatMoment(latest.verifiedAt)}</span>
            <span className="lg:hidden">
              {t("drivers.checkedAt", { date: formatMoment(latest.verifiedAt) })}
            </span>
          </time>
        ) : (
          <span className="text-ink-soft">{t("drivers.neverChecked")}</span>
        )}
      </td>
      <td
        role="cell"
        className={clsx(cell, "max-lg:col-start-2 max-lg:row-span-2 max-lg:row-start-1 lg:pr-4")}
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
