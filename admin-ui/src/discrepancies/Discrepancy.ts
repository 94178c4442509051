import type { LocalizedText } from "../common/Localized.tsx"

export type Discrepancy = {
  id: string
  kind: string
  detail: LocalizedText
  detectedAt: string
  provider: string
  reference: string
  amountGrosze: number
  refundedGrosze: number | null
  refundable: boolean
  currency: string
  companyId: string | null
  companyName: string | null
  resolvedAt: string | null
  resolutionNote: string | null
}
