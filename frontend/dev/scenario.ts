/** What the mock keeps of one company. */

import type {
  DriverOut,
  InvoiceOut,
  NotificationOut,
  SecondFactorOut,
  SessionOut,
  SubscriptionOut,
  UserOut,
  VerificationOut,
} from "../src/api/types.gen.ts"

export type Scenario = {
  user: UserOut | null
  subscription: SubscriptionOut
  drivers: DriverOut[]
  history: Map<string, VerificationOut[]>
  notifications: NotificationOut[]
  sessions: SessionOut[]
  secondFactor: SecondFactorOut
  invoices: InvoiceOut[]
  staleSince: string | null
  /** Every list responds with status 500. */
  failing: boolean
  /** Milliseconds before a list responds. */
  delay: number
}

export const day = 86_400_000
export const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString()

let last = 0
export function newId(): string {
  last += 1
  return `00000000-0000-7000-8000-${last.toString().padStart(12, "0")}`
}
