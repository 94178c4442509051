import { useRecordContext } from "react-admin"
import { Nothing } from "./Nothing.tsx"

/** A value of the record as it stands. */
export function Text({ source = "" }: { source?: string }) {
  const record = useRecordContext()
  const value = record?.[source]
  return value === undefined || value === null || value === "" ? (
    <Nothing />
  ) : (
    <span>{String(value)}</span>
  )
}
