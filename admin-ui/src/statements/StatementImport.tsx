import { Box, Typography } from "@mui/material"
import { useState } from "react"
import { Title, useDataProvider, useTranslate } from "react-admin"
import { keepPage } from "../authProvider.ts"
import { Panel } from "../common/Panel.tsx"
import { RefusalAlert } from "../common/RefusalAlert.tsx"
import type { ConsoleDataProvider } from "../dataProvider.ts"
import { BookingReport } from "./BookingReport.tsx"
import { FileChoice } from "./FileChoice.tsx"
import { readFile } from "./readFile.ts"
import type { BookedStatement, StatementFile, StatementPreview } from "./Statement.ts"
import { StatementLines } from "./StatementLines.tsx"

type Chosen = { file: StatementFile; preview: StatementPreview }

/** Imports a bank statement: choose the file, look at the matches, book the chosen lines. */
export function StatementImport() {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [booked, setBooked] = useState<BookedStatement | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const translate = useTranslate()

  const preview = async (chosenFile: File) => {
    setBusy(true)
    setError(null)
    setBooked(null)
    setChosen(null)
    const leavePage = keepPage()
    try {
      const file = await readFile(chosenFile)
      const answer = await dataProvider.act<StatementPreview>("statements", null, "preview", file)
      setChosen({ file, preview: answer })
    } catch (failure) {
      setError(failure)
    } finally {
      leavePage()
      setBusy(false)
    }
  }

  return (
    <Box sx={{ display: "grid", gap: 2.5, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <Title title="console.statements.title" />
      <Panel title={translate("console.statements.file")}>
        <Typography variant="body2" sx={{ mb: 2, maxWidth: "70ch" }}>
          {translate("console.statements.help")}
        </Typography>
        <FileChoice name={chosen?.file.filename} isBusy={isBusy} onChoose={preview} />
        {error !== null && <RefusalAlert error={error} />}
      </Panel>
      {booked && <BookingReport booked={booked} />}
      {chosen && (
        <StatementLines
          key={chosen.file.contentBase64}
          file={chosen.file}
          preview={chosen.preview}
          onBooked={(answer) => {
            setBooked(answer)
            setChosen(null)
          }}
        />
      )}
    </Box>
  )
}
