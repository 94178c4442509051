import { useRecordContext } from "react-admin"
import { useFormat } from "./format.ts"

/** A number of the record. */
export function Count({ source }: { source: string }) {
  const format = useFormat()
  const record = useRecordContext()
  return <>{format.number(record?.[source] ?? 0)}</>
}
