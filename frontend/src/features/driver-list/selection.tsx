import type { TFunction } from "i18next"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"

export type DriverSelection = {
  selected: readonly DriverSummaryOut[]
  isSelected: (driver: DriverSummaryOut) => boolean
  select: (drivers: readonly DriverSummaryOut[], isSelected: boolean) => void
  clear: () => void
}

/** The chosen drivers of the list; those that are no longer in it are not among them. */
export function useDriverSelection(drivers: readonly DriverSummaryOut[]): DriverSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const selected = useMemo(() => drivers.filter(({ id }) => ids.has(id)), [drivers, ids])
  // The same function in every render: rows are memoised.
  const select = useCallback<DriverSelection["select"]>((changed, isSelected) => {
    setIds((before) => {
      const next = new Set(before)
      for (const { id } of changed) {
        if (isSelected) next.add(id)
        else next.delete(id)
      }
      return next
    })
  }, [])
  return {
    selected,
    isSelected: ({ id }) => ids.has(id),
    select,
    clear: () => setIds(new Set()),
  }
}

const boxClass = "size-6 shrink-0 choice"

type PageSelectionBoxProps = { selection: DriverSelection; drivers: readonly DriverSummaryOut[] }

/** The box that chooses all drivers of the page. */
export function PageSelectionBox({ selection, drivers }: PageSelectionBoxProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLInputElement>(null)
  const count = drivers.filter(selection.isSelected).length
  const isAll = count > 0 && count === drivers.length
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && !isAll
  }, [count, isAll])
  return (
    <input
      ref={box}
      data-no-print
      type="checkbox"
      aria-label={t("drivers.selection.page")}
      checked={isAll}
      onChange={({ target }) => selection.select(drivers, target.checked)}
      className={`${boxClass} @max-table:order-first @max-table:mr-2 @max-card:mr-1.5`}
    />
  )
}

type SelectionBoxProps = {
  t: TFunction
  driver: DriverSummaryOut
  isSelected: boolean
  isTabStop: boolean
  onSelect: DriverSelection["select"]
}

export function SelectionBox({ t, driver, isSelected, isTabStop, onSelect }: SelectionBoxProps) {
  return (
    <input
      data-no-print
      type="checkbox"
      aria-label={t("drivers.selection.driver", { name: fullName(driver) })}
      checked={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      onChange={({ target }) => onSelect([driver], target.checked)}
      className={`${boxClass} @max-table:mt-0.75 @max-table:self-start`}
    />
  )
}
