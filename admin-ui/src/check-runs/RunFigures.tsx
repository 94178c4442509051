import { Box, Typography } from "@mui/material"
import { useTranslate } from "react-admin"
import { Figure, Figures } from "../common/Figure.tsx"
import { useFormat } from "../common/format.ts"
import { Word } from "../common/Word.tsx"
import type { Tone } from "../theme.ts"
import { type CheckRun, outcomes } from "./CheckRun.ts"

const tones: Partial<Record<(typeof outcomes)[number], Tone>> = {
  invalid: "withheld",
  attention: "caution",
}

/** The outcomes, the rate, and why unresolved checks got no answer. */
export function RunFigures({ run }: { run: CheckRun }) {
  const translate = useTranslate()
  const format = useFormat()
  const rate = run.ratePerMinute
  return (
    <>
      <Figures>
        {outcomes.map((outcome) => (
          <Figure
            key={outcome}
            label={translate(`values.outcome.${outcome}`)}
            value={format.number(run[outcome])}
            note={format.percent(run[outcome], run.planned)}
            tone={run[outcome] > 0 ? tones[outcome] : undefined}
          />
        ))}
        <Figure
          label={translate("console.check.rate")}
          value={rate === null || rate === undefined ? "–" : format.number(Math.round(rate))}
          note={translate("console.check.ratePerMinute")}
        />
        <Figure
          label={translate("console.check.workers")}
          value={format.number(run.activeWorkers)}
          note={translate("console.check.workersNote")}
        />
      </Figures>
      {run.errors.length > 0 && (
        <Box sx={{ mt: 2 }}>
          <Typography variant="body2" sx={{ fontWeight: 600 }}>
            {translate("console.check.errors")}
          </Typography>
          <Box component="ul" sx={{ m: 0, pl: 2.5, typography: "body2" }}>
            {run.errors.map(({ kind, count }) => (
              <li key={kind}>
                <Word kind="checkError" value={kind} />: {format.number(count)}
              </li>
            ))}
          </Box>
        </Box>
      )}
    </>
  )
}
