import { useLocaleState, useRecordContext } from "react-admin"

/** A text that the server has written in both languages. */
export type LocalizedText = { pl: string; en: string }

/** The record's text in the language of the console. */
export function Localized({ source }: { source: string }) {
  const record = useRecordContext<Record<string, LocalizedText>>()
  const [locale] = useLocaleState()
  return <span>{record?.[source]?.[locale === "en" ? "en" : "pl"]}</span>
}
