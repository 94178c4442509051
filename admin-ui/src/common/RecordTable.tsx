import { type Theme, useMediaQuery } from "@mui/material"
import { useCallback, useContext, useState } from "react"
import {
  DataTable,
  type DataTableColumnProps,
  type DataTableProps,
  useDataTableRenderContext,
  useDataTableSortContext,
} from "react-admin"
import { HoldLayout } from "./heldLayout.ts"
import { CardValue, InsideCard, RecordCards } from "./RecordCards.tsx"
import { ScrollRegion } from "./ScrollRegion.tsx"
import { Text } from "./Text.tsx"

export type ColumnProps = Omit<DataTableColumnProps, "disableSort"> & {
  /** Whether the server (or the `LocalList`) can sort by the column's `source`. */
  sortable?: boolean
}

/** A table; on small screens every row is a card, and every column one of its lines. */
export function RecordTable(props: DataTableProps) {
  const [hasCards, hold] = useLayout()
  const { empty, bulkActionButtons, children } = props
  return (
    <HoldLayout value={hold}>
      {hasCards ? (
        <RecordCards empty={empty} bulkActionButtons={bulkActionButtons}>
          {children}
        </RecordCards>
      ) : (
        <ScrollRegion>
          <DataTable rowClick={false} hover={false} bulkActionButtons={false} {...props} />
        </ScrollRegion>
      )}
    </HoldLayout>
  )
}

/**
 * Whether the rows are cards, and the hold that keeps the layout while a dialog is open in a row.
 */
function useLayout(): [boolean, () => () => void] {
  const isSmall = useMediaQuery<Theme>((theme) => theme.breakpoints.down("md"))
  const [hasCards, setCards] = useState(isSmall)
  const [dialogs, setDialogs] = useState(0)
  if (dialogs === 0 && hasCards !== isSmall) setCards(isSmall)
  const hold = useCallback(() => {
    setDialogs((count) => count + 1)
    return () => setDialogs((count) => count - 1)
  }, [])
  return [hasCards, hold]
}

/** A column, labelled by its `source` or `label`. */
function Column({ sortable = false, field = Text, ...props }: ColumnProps) {
  const isInsideCard = useContext(InsideCard)
  if (isInsideCard) return <CardValue field={field} {...props} />
  return <TableColumn field={field} {...props} disableSort={!sortable} />
}

function TableColumn(props: DataTableColumnProps) {
  const isHeader = useDataTableRenderContext() === "header"
  const sort = useDataTableSortContext()
  const isSorted = isHeader && sort?.field === props.source
  const direction = sort?.order === "DESC" ? "desc" : "asc"
  return <DataTable.Col {...props} sortDirection={isSorted ? direction : undefined} />
}

RecordTable.Col = Column
