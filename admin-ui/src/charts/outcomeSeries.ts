import { outcomes } from "../check-runs/CheckRun.ts"
import type { Tone } from "../theme.ts"
import type { Series } from "./ChartPanel.tsx"

const tones: Record<(typeof outcomes)[number], Tone | "primary"> = {
  valid: "valid",
  invalid: "withheld",
  attention: "caution",
  notFound: "primary",
  unresolved: "neutral",
}

export const outcomeSeries: Series[] = outcomes.map((outcome) => ({
  key: outcome,
  label: `values.outcome.${outcome}`,
  tone: tones[outcome],
}))
