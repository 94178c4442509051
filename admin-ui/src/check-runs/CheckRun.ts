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
  activeWorkers: number
  /** Whether it goes on, but nothing was checked for a while. */
  stalled: boolean
}

/** The quarantined changes of a run, counted per company. */
export type QuarantinedChanges = {
  id: string
  companyId: string
  companyName: string | null
  notFound: number
  attention: number
  total: number
}[]

export const outcomes = ["valid", "invalid", "attention", "notFound", "unresolved"] as const
