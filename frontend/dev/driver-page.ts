/** What a driver's page reads, made of the history of a scenario. */

import type {
  CheckedDayOut,
  DriverNoticeOut,
  StateChangeOut,
  VerificationOut,
} from "../src/api/types.gen.ts"
import { newId, type Scenario } from "./scenario.ts"

/** Verifications one after another with the same answer are one change; newest first. */
export function changesOf(history: readonly VerificationOut[]): StateChangeOut[] {
  const changes: StateChangeOut[] = []
  for (const one of history) {
    const newer = changes.at(-1)
    if (newer && contentOf(newer) === contentOf(one)) {
      newer.checks += 1
      newer.firstVerifiedAt = one.verifiedAt
    } else {
      changes.push({ ...one, firstVerifiedAt: one.verifiedAt, checks: 1 })
    }
  }
  return changes
}

const contentOf = ({ status, documentStatus, reasons, expiryDate, categories }: VerificationOut) =>
  JSON.stringify([status, documentStatus, reasons, expiryDate, categories])

/** The days with a verification, oldest first. */
export function daysOf(history: readonly VerificationOut[]): CheckedDayOut[] {
  const days = new Map<string, CheckedDayOut>()
  for (const { verifiedAt, status } of history.toReversed()) {
    const day = verifiedAt.slice(0, 10)
    days.set(day, { day, status, checks: (days.get(day)?.checks ?? 0) + 1 })
  }
  return [...days.values()]
}

export function noticesOf(scenario: Scenario, driverId: string): DriverNoticeOut[] {
  return scenario.notifications
    .filter((one) => one.driverId === driverId)
    .map(({ kind, title, content, createdAt }) => ({
      id: newId(),
      kind: kind ?? "withheld",
      title,
      content,
      createdAt,
      deliveries: [
        { medium: "email", state: "delivered", count: 2 },
        { medium: "email", state: "refused", count: 1 },
        { medium: "sms", state: "sent", count: 1 },
      ],
    }))
}
