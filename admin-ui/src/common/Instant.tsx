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
    <time dateTime={moment} title={as === "age" ? format.dateTime(moment) : undefined}>
      {format[as](moment)}
    </time>
  )
}
