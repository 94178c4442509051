import { createFormat } from "../common/format.ts"
import type { Discrepancy } from "./Discrepancy.ts"
import { DiscrepancyList } from "./DiscrepancyList.tsx"

export default {
  list: DiscrepancyList,
  // Unknown money has no reference of ours.
  recordRepresentation: ({ reference, amountGrosze, currency }: Discrepancy) =>
    reference || createFormat("pl").money(amountGrosze, currency),
}
