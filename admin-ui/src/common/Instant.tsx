import { Box } from "@mui/material"
import { useRecordContext } from "react-admin"
import { useFormat } from "./format.ts"
import { Nothing } from "./Nothing.tsx"

type InstantProps = { source?: string; value?: string | null; as?: "dateTime" | "date" | "age" }

/** A moment or day of the record. */
export function Instant({ source, value, as = "dateTime" }: InstantProps) {
  const format = useFormat()
  const record = useRecordContext()
  const moment = value ?? (source ? record?.[source] : null)
  if (!moment) return <Nothing />
  return (
    <Box
      component="time"
      dateTime={moment}
      title={as === "age" ? format.dateTime(moment) : undefined}
      sx={{ whiteSpace: "nowrap" }}
    >
      {format[as](moment)}
    </Box>
  )
}
