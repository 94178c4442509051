export type StatementLine = {
  index: number
  bookedOn: string
  amountGrosze: number
  currency: string
  payer: string | null
  title: string
  matchedReference: string | null
  companyName: string | null
  expectedGrosze: number | null
  outcome:
    | "match"
    | "amount_differs"
    | "already_paid"
    | "unknown"
    | "probably_booked"
    | "duplicate"
    | "outgoing"
  bookable: boolean
  earlierReference: string | null
  earlierBookedAt: string | null
}

export type StatementPreview = { format: string; lines: StatementLine[] }

/** The results for the chosen lines; `unmatched` ones are discrepancies now. */
export type BookedStatement = {
  booked: { index: number; reference: string; result: "recorded" | "unmatched" }[]
  refused: { index: number; outcome: string }[]
}

/** The file as the calls take it. */
export type StatementFile = { filename: string; contentBase64: string }
