import { Box, Skeleton } from "@mui/material"
import { createContext, type ReactNode } from "react"
import {
  type DataTableColumnProps,
  FieldTitle,
  ListNoResults,
  RecordContextProvider,
  useListContext,
  useRecordContext,
  useResourceContext,
} from "react-admin"

/** Whether a column is rendered as a line of a card. */
export const InsideCard = createContext(false)

type RecordCardsProps = { children: ReactNode; empty?: ReactNode }

/** The rows of a list one below the other, for small screens. */
export function RecordCards({ children, empty = <ListNoResults /> }: RecordCardsProps) {
  const { data, isPending, error } = useListContext()
  if (error) return null
  if (isPending) return <Skeleton variant="rounded" height={220} sx={{ m: 2 }} />
  if (!data || data.length === 0) return empty
  return (
    <InsideCard value={true}>
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {data.map((record) => (
          <RecordContextProvider key={record.id} value={record}>
            <Box component="li" sx={{ p: 2, "& + &": { borderTop: 1, borderColor: "divider" } }}>
              <Box
                component="dl"
                sx={{
                  display: "grid",
                  gridTemplateColumns: "minmax(6.5rem, 34%) 1fr",
                  columnGap: 2,
                  rowGap: 0.75,
                  m: 0,
                  // the first line is what the card is about
                  "& > dd:first-of-type": { gridColumn: "1 / -1", typography: "body1" },
                }}
              >
                {children}
              </Box>
            </Box>
          </RecordContextProvider>
        ))}
      </Box>
    </InsideCard>
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
        {value ?? (source ? String(record?.[source] ?? "–") : null)}
      </Box>
    </>
  )
}
