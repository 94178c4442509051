import { Alert, Box, Button } from "@mui/material"
import { useTranslate } from "react-admin"
import { Link } from "react-router"
import { Word } from "../common/Word.tsx"
import type { BookedStatement } from "./Statement.ts"

/** The result for the chosen lines: which are booked, which are discrepancies now, which were refused. */
export function BookingReport({ booked: { booked, refused } }: { booked: BookedStatement }) {
  const translate = useTranslate()
  const text = (key: string, count: number) =>
    translate(`console.statements.${key}`, { smart_count: count })
  const unmatched = booked.filter(({ result }) => result === "unmatched").length
  const isWhole = unmatched === 0 && refused.length === 0
  const discrepancies = (
    <Button component={Link} to="/admin/discrepancies" color="inherit" size="small">
      {text("showUnmatched", unmatched)}
    </Button>
  )
  return (
    <Alert
      severity={isWhole ? "success" : "warning"}
      role="status"
      action={unmatched > 0 ? discrepancies : undefined}
    >
      {text("booked", booked.length)} {unmatched > 0 && text("unmatched", unmatched)}{" "}
      {refused.length > 0 && text("refused", refused.length)}
      {refused.length > 0 && (
        <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
          {refused.map(({ index, outcome }) => (
            <li key={index}>
              {translate("console.statements.line", { number: index + 1 })}:{" "}
              <Word kind="statementLine" value={outcome} />
            </li>
          ))}
        </Box>
      )}
    </Alert>
  )
}
