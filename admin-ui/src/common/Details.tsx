import { Box } from "@mui/material"
import { useRecordContext, useTranslate } from "react-admin"
import { Nothing } from "./Nothing.tsx"

/** The record's `details`, an object of ids, numbers and words, as `name: value`. */
export function Details({ source = "details" }: { source?: string }) {
  const translate = useTranslate()
  const record = useRecordContext()
  const entries = Object.entries((record?.[source] ?? {}) as Record<string, unknown>)
  if (entries.length === 0) return <Nothing />
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.5, overflowWrap: "anywhere" }}>
      {entries.map(([name, value]) => (
        <span key={name}>
          <Box component="span" sx={{ color: "text.secondary" }}>
            {translate(`values.detail.${name}`, { _: name })}:
          </Box>{" "}
          {typeof value === "object" ? JSON.stringify(value) : String(value)}
        </span>
      ))}
    </Box>
  )
}
