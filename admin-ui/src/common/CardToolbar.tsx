import ArrowDownwardOutlined from "@mui/icons-material/ArrowDownwardOutlined"
import ArrowUpwardOutlined from "@mui/icons-material/ArrowUpwardOutlined"
import { Box, Checkbox, FormControlLabel, IconButton, TextField } from "@mui/material"
import { Children, isValidElement, type ReactNode } from "react"
import { useListContext, useResourceContext, useTranslate, useTranslateLabel } from "react-admin"
import type { ColumnProps } from "./RecordTable.tsx"

type CardToolbarProps = { columns: ReactNode; isSelectable: boolean }

/** The controls of a table's head, above the cards: select the page, choose the order. */
export function CardToolbar({ columns, isSelectable }: CardToolbarProps) {
  const sortable = sortableColumns(columns)
  if (!isSelectable && sortable.length === 0) return null
  return (
    <Box
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 0.5,
        px: 1,
        py: 1,
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      {isSelectable && <SelectPage />}
      {sortable.length > 0 && <SortControl columns={sortable} />}
    </Box>
  )
}

/** The columns of a table that it can be sorted by. */
const sortableColumns = (columns: ReactNode): ColumnProps[] =>
  Children.toArray(columns)
    .filter((column) => isValidElement<ColumnProps>(column))
    .map(({ props }) => props)
    .filter(({ sortable, source }) => sortable && source)

const hiddenFromSight = { position: "absolute", width: 1, clipPath: "inset(50%)" }

function SelectPage() {
  const { data = [], selectedIds, onSelect } = useListContext()
  const translate = useTranslate()
  const ids = data.map(({ id }) => id)
  const chosen = ids.filter((id) => selectedIds.includes(id))
  const isWhole = chosen.length === ids.length
  const toggle = () => {
    const others = selectedIds.filter((id) => !ids.includes(id))
    onSelect(isWhole ? others : [...others, ...ids])
  }
  return (
    <FormControlLabel
      label={translate("console.selectPage")}
      control={
        <Checkbox
          checked={isWhole}
          indeterminate={chosen.length > 0 && !isWhole}
          onChange={toggle}
          sx={{ width: 44, height: 44 }}
        />
      }
      slotProps={{ typography: { variant: "body2", noWrap: true } }}
      // the smallest screens have no room for its label beside the order
      sx={{ mx: 0, "@media (max-width: 359px)": { "& .MuiTypography-root": hiddenFromSight } }}
    />
  )
}

function SortControl({ columns }: { columns: ColumnProps[] }) {
  const { sort, setSort } = useListContext()
  const resource = useResourceContext()
  const translate = useTranslate()
  const translateLabel = useTranslateLabel()
  const isAscending = sort.order === "ASC"
  const reversed = isAscending ? "DESC" : "ASC"
  const Arrow = isAscending ? ArrowUpwardOutlined : ArrowDownwardOutlined
  const isListed = columns.some(({ source }) => source === sort.field)
  return (
    <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, ml: "auto", minWidth: 0 }}>
      <TextField
        select
        margin="none"
        label={translate("ra.action.sort")}
        value={isListed ? sort.field : ""}
        onChange={({ target }) => setSort({ field: target.value, order: sort.order })}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      >
        {!isListed && <option value="" />}
        {columns.map(({ source, label }) => (
          <option key={source} value={source}>
            {translateLabel({ source, resource, label: label as string | undefined })}
          </option>
        ))}
      </TextField>
      <IconButton
        aria-label={translate(`console.sort.${sort.order === "ASC" ? "ascending" : "descending"}`)}
        onClick={() => setSort({ field: sort.field, order: reversed })}
        sx={{ width: 44, height: 44 }}
      >
        <Arrow />
      </IconButton>
    </Box>
  )
}
