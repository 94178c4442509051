import type { Tone } from "../theme.ts"

/** The tone of each state that is not neutral, by the kind of state. */
const tones = {
  subscription: { active: "valid", cancelled: "withheld", expired: "caution" },
  // What the register says of the document; green is only the answer whether the driver may drive.
  verification: { invalid: "withheld", attention: "caution" },
  mayDrive: { no: "withheld", check: "caution", yes: "valid" },
  review: { pending: "caution", approved: "valid", rejected: "withheld" },
  delivery: { delivered: "valid", sent: "valid", failed: "withheld", undelivered: "caution" },
  payment: { paid: "valid", failed: "withheld", mismatched: "caution", expired: "caution" },
  refund: { requested: "caution", refunded: "valid" },
  discrepancy: { open: "caution", resolved: "valid" },
  statementLine: {
    match: "valid",
    amount_differs: "caution",
    already_paid: "caution",
    probably_booked: "caution",
    unknown: "withheld",
  },
  message: { open: "caution", answered: "valid", probableSpam: "caution" },
  plugin: { healthy: "valid", failing: "withheld", paused: "caution" },
  incident: { open: "withheld" },
  company: { active: "valid", suspended: "withheld", cancelled: "withheld", expired: "caution" },
} satisfies Record<string, Record<string, Tone>>

export type BadgeKind = keyof typeof tones

export function toneOf(kind: BadgeKind, state: string): Tone {
  const known: Record<string, Tone> = tones[kind]
  return known[state] ?? "neutral"
}
