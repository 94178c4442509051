import { type Theme, useMediaQuery } from "@mui/material"
import { useContext } from "react"
import {
  DataTable,
  type DataTableColumnProps,
  type DataTableProps,
  useDataTableRenderContext,
  useDataTableSortContext,
} from "react-admin"
import { CardValue, InsideCard, RecordCards } from "./RecordCards.tsx"

/** A table; on small screens every row is a card, and every column one of its lines. */
export function RecordTable(props: DataTableProps) {
  const isSmall = useMediaQuery<Theme>((theme) => theme.breakpoints.down("md"))
  if (isSmall) return <RecordCards empty={props.empty}>{props.children}</RecordCards>
  return <DataTable rowClick={false} bulkActionButtons={false} {...props} />
}

/** A column, labelled by its `source` or `label`; not sortable unless it says so. */
function Column(props: DataTableColumnProps) {
  const isInsideCard = useContext(InsideCard)
  return isInsideCard ? <CardValue {...props} /> : <TableColumn {...props} />
}

function TableColumn({ disableSort = true, ...props }: DataTableColumnProps) {
  const isHeader = useDataTableRenderContext() === "header"
  const sort = useDataTableSortContext()
  const isSorted = isHeader && sort?.field === props.source
  const direction = sort?.order === "DESC" ? "desc" : "asc"
  return (
    <DataTable.Col
      {...props}
      disableSort={disableSort}
      sortDirection={isSorted ? direction : undefined}
    />
  )
}

RecordTable.Col = Column
