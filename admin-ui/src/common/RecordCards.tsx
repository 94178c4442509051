import { Box, Checkbox, Skeleton } from "@mui/material"
import { createContext, type ReactNode } from "react"
import {
  type DataTableColumnProps,
  FieldTitle,
  ListNoResults,
  RecordContextProvider,
  useGetRecordRepresentation,
  useListContext,
  useRecordContext,
  useResourceContext,
  useTranslate,
} from "react-admin"
import { CardToolbar } from "./CardToolbar.tsx"
import { SelectionBar } from "./SelectionBar.tsx"

/** Whether a column is rendered as a line of a card. */
export const InsideCard = createContext(false)

type RecordCardsProps = { children: ReactNode; empty?: ReactNode; bulkActionButtons?: ReactNode }

/** The rows of a list one below the other, for small screens: sorted and selected as in a table. */
export function RecordCards({ children, empty, bulkActionButtons }: RecordCardsProps) {
  const { data, isPending, error } = useListContext()
  const isSelectable = Boolean(bulkActionButtons)
  if (error) return null
  if (isPending) return <Skeleton variant="rounded" height={220} sx={{ m: 2 }} />
  if (!data || data.length === 0) return <>{empty ?? <ListNoResults />}</>
  return (
    <InsideCard value={true}>
      <CardToolbar columns={children} isSelectable={isSelectable} />
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {data.map((record) => (
          <RecordContextProvider key={record.id} value={record}>
            <RecordCard isSelectable={isSelectable}>{children}</RecordCard>
          </RecordContextProvider>
        ))}
      </Box>
      <SelectionBar>{bulkActionButtons}</SelectionBar>
    </InsideCard>
  )
}

type RecordCardProps = { children: ReactNode; isSelectable: boolean }

function RecordCard({ children, isSelectable }: RecordCardProps) {
  const { selectedIds } = useListContext()
  const record = useRecordContext()
  const isSelected = record !== undefined && (selectedIds ?? []).includes(record.id)
  return (
    <Box
      component="li"
      sx={{
        position: "relative",
        p: 2,
        "& + &": { borderTop: 1, borderColor: "divider" },
        backgroundColor: isSelected ? (theme) => theme.palette.sunken : undefined,
      }}
    >
      {isSelectable && <SelectCheckbox isSelected={isSelected} />}
      <Box
        component="dl"
        sx={{
          display: "grid",
          gridTemplateColumns: "minmax(6.5rem, 34%) 1fr",
          columnGap: 2,
          rowGap: 0.75,
          m: 0,
          // the first line is what the card is about
          "& > dd:first-of-type": {
            gridColumn: "1 / -1",
            typography: "body1",
            fontWeight: 600,
            pr: isSelectable ? 5 : 0,
          },
        }}
      >
        {children}
      </Box>
    </Box>
  )
}

function SelectCheckbox({ isSelected }: { isSelected: boolean }) {
  const { onToggleItem } = useListContext()
  const record = useRecordContext()
  const resource = useResourceContext() ?? ""
  const name = String(useGetRecordRepresentation(resource)(record) ?? "")
  const translate = useTranslate()
  if (!record) return null
  return (
    <Checkbox
      checked={isSelected}
      onChange={() => onToggleItem(record.id)}
      aria-label={translate("console.select", { name })}
      sx={{ position: "absolute", top: 4, right: 4, width: 44, height: 44 }}
    />
  )
}

/** One line: the column's label and value; without a `source` the value takes the whole width. */
export function CardValue({ source, label, field: Field, render, children }: DataTableColumnProps) {
  const record = useRecordContext()
  const resource = useResourceContext()
  const value =
    children ?? (record && render ? render(record) : null) ?? (Field && <Field source={source} />)
  const isUnlabelled = !source
  return (
    <>
      <Box
        component="dt"
        className={isUnlabelled ? "visually-hidden" : undefined}
        sx={{
          color: "text.secondary",
          typography: "caption",
          pt: 0.25,
          "&:first-of-type": { gridColumn: "1 / -1", mb: -0.75 },
        }}
      >
        <FieldTitle label={label} source={source} resource={resource} />
      </Box>
      <Box
        component="dd"
        sx={{
          m: 0,
          minWidth: 0,
          overflowWrap: "anywhere",
          typography: "body2",
          gridColumn: isUnlabelled ? "1 / -1" : "auto",
        }}
      >
        {value}
      </Box>
    </>
  )
}
