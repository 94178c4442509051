import { useRecordContext } from "react-admin"
import { useFormat } from "./format.ts"
import { Nothing } from "./Nothing.tsx"

/** An amount of the record, which is stored in grosze. */
export function Money({ source }: { source: string }) {
  const format = useFormat()
  const record = useRecordContext()
  const grosze: number | null | undefined = record?.[source]
  if (grosze === null || grosze === undefined) return <Nothing />
  return <>{format.money(grosze, record?.currency)}</>
}
