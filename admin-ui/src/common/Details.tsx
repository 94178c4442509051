import { Box } from "@mui/material"
import { useRecordContext, useTranslate } from "react-admin"
import { useFormat } from "./format.ts"
import { Nothing } from "./Nothing.tsx"

type Values = Record<string, unknown>

/** The record's `details`, an object of ids, numbers and words, as `name: value`. */
export function Details({ source = "details" }: { source?: string }) {
  const translate = useTranslate()
  const describe = useDescribe()
  const record = useRecordContext()
  const { currency, ...values } = (record?.[source] ?? {}) as Values
  const entries = Object.entries(values).filter(([, value]) => value !== null)
  if (entries.length === 0) return <Nothing />
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.5, overflowWrap: "anywhere" }}>
      {entries.map(([name, value]) => (
        <span key={name}>
          <Box component="span" sx={{ color: "text.secondary" }}>
            {translate(`values.detail.${name}`, { _: name })}:
          </Box>{" "}
          {describe(name, value, currency)}
        </span>
      ))}
    </Box>
  )
}

/** Words by the enumeration that a detail is of. */
const kinds: Record<string, string> = {
  status: "subscription",
  kind: "incidentKind",
  format: "statementFormat",
  result: "detail",
  about: "exported",
  how: "ended",
}

function useDescribe() {
  const translate = useTranslate()
  const format = useFormat()
  return (name: string, value: unknown, currency: unknown): string => {
    if (name === "grosze") return format.money(Number(value), String(currency ?? "PLN"))
    if (name === "day" || name === "end_date") return format.date(String(value))
    if (typeof value === "boolean") return translate(`ra.boolean.${value}`)
    if (typeof value === "object") return JSON.stringify(value)
    const kind = kinds[name]
    return kind ? translate(`values.${kind}.${value}`, { _: String(value) }) : String(value)
  }
}
