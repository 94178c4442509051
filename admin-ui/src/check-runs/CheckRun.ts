export type CheckRun = {
  id: string
  day: string
  startedAt: string | null
  finishedAt: string | null
  planned: number
  done: number
  valid: number
  invalid: number
  attention: number
  notFound: number
  unresolved: number
  quarantined: number
  reviewState: "pending" | "approved" | "rejected" | null
  errors: { kind: string; count: number }[]
  ratePerMinute: number | null
  expectedEndAt: string | null
  paused: boolean
}

/** The quarantined changes of a run, counted per company. */
export type QuarantinedChanges = {
  id: string
  companyId: string
  companyName: string | null
  count: number
}[]

export const outcomes = ["valid", "invalid", "attention", "notFound", "unresolved"] as const
