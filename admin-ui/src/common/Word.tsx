import { useRecordContext, useTranslate } from "react-admin"
import { Nothing } from "./Nothing.tsx"

type WordProps = { kind: string; source?: string; value?: string | null }

/** A value of an enumeration in the reader's language; one that is not listed stands as it is. */
export function Word({ kind, source, value }: WordProps) {
  const translate = useTranslate()
  const record = useRecordContext()
  const word = value ?? (source ? record?.[source] : null)
  if (!word) return <Nothing />
  return <>{translate(`values.${kind}.${word}`, { _: String(word) })}</>
}
