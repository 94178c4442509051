import { useCallback, useMemo, useState } from "react"
import type { DriverSummaryOut } from "~/api/types.gen"

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
