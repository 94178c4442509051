import { Box, Button, Checkbox, FormControlLabel, Typography } from "@mui/material"
import { useContext, useEffect, useState } from "react"
import { useDataProvider, useNotify, useRecordContext, useTranslate } from "react-admin"
import { keepPage } from "../authProvider.ts"
import { ActDialog } from "../common/ActDialog.tsx"
import { Instant } from "../common/Instant.tsx"
import { LocalList } from "../common/LocalList.tsx"
import { Money } from "../common/Money.tsx"
import { Panel } from "../common/Panel.tsx"
import { InsideCard } from "../common/RecordCards.tsx"
import { RecordTable } from "../common/RecordTable.tsx"
import { StatusBadge } from "../common/StatusBadge.tsx"
import type { ConsoleDataProvider } from "../dataProvider.ts"
import type {
  BookedStatement,
  StatementFile,
  StatementLine,
  StatementPreview,
} from "./Statement.ts"

type StatementLinesProps = {
  file: StatementFile
  preview: StatementPreview
  onBooked: (answer: BookedStatement) => void
}

/** The lines of a statement with their matches; matching lines are chosen initially. */
export function StatementLines({ file, preview, onBooked }: StatementLinesProps) {
  const translate = useTranslate()
  const notify = useNotify()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const [isAsking, setAsking] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () =>
      new Set(
        preview.lines
          .filter(({ outcome, bookable }) => bookable && outcome === "match")
          .map((line) => line.index),
      ),
  )
  const count = { smart_count: chosen.size }
  useEffect(keepPage, [])

  const toggle = (index: number) => {
    const next = new Set(chosen)
    if (!next.delete(index)) next.add(index)
    setChosen(next)
  }

  const book = async ({ reason }: Record<string, unknown>) => {
    const lines = [...chosen].sort((one, other) => one - other)
    const body = { ...file, lines, reason }
    const answer = await dataProvider.act<BookedStatement>("statements", null, "book", body)
    notify("console.statements.booked", {
      type: answer.refused.length > 0 ? "warning" : "success",
      messageArgs: { smart_count: answer.booked.length },
    })
    onBooked(answer)
  }

  return (
    <Panel
      title={translate("console.statements.lines", {
        format: translate(`values.statementFormat.${preview.format}`, { _: preview.format }),
      })}
      actions={
        <Button variant="contained" disabled={chosen.size === 0} onClick={() => setAsking(true)}>
          {translate("console.statements.book", count)}
        </Button>
      }
    >
      <LocalList
        resource="statementLines"
        sort={asInFile}
        rows={preview.lines.map((line) => ({ ...line, id: line.index }))}
      >
        <RecordTable>
          <RecordTable.Col source="index" sortable>
            <Choice chosen={chosen} onToggle={toggle} />
          </RecordTable.Col>
          <RecordTable.Col source="outcome" sortable>
            <StatusBadge kind="statementLine" source="outcome" />
            <EarlierBooking />
          </RecordTable.Col>
          <RecordTable.Col source="bookedOn" sortable>
            <Instant source="bookedOn" as="date" />
          </RecordTable.Col>
          <RecordTable.Col source="amountGrosze" sortable align="right">
            <Amount />
          </RecordTable.Col>
          <RecordTable.Col source="title">
            <PayerAndTitle />
          </RecordTable.Col>
          <RecordTable.Col source="companyName">
            <Match />
          </RecordTable.Col>
        </RecordTable>
      </LocalList>
      {isAsking && (
        <ActDialog
          title={translate("console.statements.book", count)}
          text={translate("console.statements.bookText")}
          confirm={translate("console.statements.confirm")}
          onConfirm={book}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  )
}

const asInFile = { field: "index", order: "ASC" } as const

type ChoiceProps = { chosen: ReadonlySet<number>; onToggle: (index: number) => void }

function Choice({ chosen, onToggle }: ChoiceProps) {
  const line = useRecordContext<StatementLine & { id: number }>()
  const isInsideCard = useContext(InsideCard)
  const translate = useTranslate()
  if (!line) return null
  const label = translate("console.statements.chooseLine", { title: line.title })
  const checkbox = (
    <Checkbox
      size="small"
      sx={{ p: 0.5 }}
      checked={chosen.has(line.index)}
      disabled={!line.bookable}
      onChange={() => onToggle(line.index)}
      aria-label={label}
    />
  )
  if (!isInsideCard) return checkbox
  return (
    <FormControlLabel
      label={translate("console.statements.chooseOnCard")}
      control={checkbox}
      sx={{ ml: 0 }}
    />
  )
}

function Amount() {
  const line = useRecordContext<StatementLine & { id: number }>()
  const translate = useTranslate()
  return (
    <>
      <Box sx={{ whiteSpace: "nowrap" }}>
        <Money source="amountGrosze" />
      </Box>
      {line?.outcome === "amount_differs" && (
        <Box sx={{ color: "text.secondary", typography: "caption", whiteSpace: "nowrap" }}>
          {translate("console.statements.expected")} <Money source="expectedGrosze" />
        </Box>
      )}
    </>
  )
}

/** The booking of the same transfer from a file of another format. */
function EarlierBooking() {
  const line = useRecordContext<StatementLine & { id: number }>()
  if (!line?.earlierReference) return null
  return (
    <Box sx={{ color: "text.secondary", overflowWrap: "anywhere", typography: "caption" }}>
      <Instant source="earlierBookedAt" /> · {line.earlierReference}
    </Box>
  )
}

function PayerAndTitle() {
  const line = useRecordContext<StatementLine & { id: number }>()
  return (
    <Box sx={{ overflowWrap: "anywhere" }}>
      {line?.title}
      <Box sx={{ color: "text.secondary", typography: "caption" }}>{line?.payer}</Box>
    </Box>
  )
}

function Match() {
  const line = useRecordContext<StatementLine & { id: number }>()
  if (!line?.matchedReference) return <Typography variant="body2">–</Typography>
  return (
    <Box sx={{ overflowWrap: "anywhere" }}>
      {line.companyName}
      <Box sx={{ color: "text.secondary", typography: "caption" }}>{line.matchedReference}</Box>
    </Box>
  )
}
