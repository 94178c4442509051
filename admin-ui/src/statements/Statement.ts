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
  outcome: "match" | "amount_differs" | "already_paid" | "unknown" | "duplicate" | "outgoing"
  bookable: boolean
}

export type StatementPreview = { format: string; lines: StatementLine[] }
export type BookedStatement = { booked: unknown[]; refused: unknown[] }

/** The file as the calls take it. */
export type StatementFile = { filename: string; contentBase64: string }
