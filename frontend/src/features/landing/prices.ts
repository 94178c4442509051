import { formatShortAmount } from "~/lib/money"
import { driverLimitStep, minDriverLimit, periodPrice } from "~/lib/price"

const firstBlockNet = periodPrice(minDriverLimit).net
const furtherBlockNet = periodPrice(minDriverLimit + driverLimitStep).net - firstBlockNet

/** The net price of the smallest plan in grosze. */
export const lowestNetPrice = firstBlockNet

/** Fills {{net}} and {{further}}: the net prices of the smallest plan and of each further block. */
export function interpolatePrices(text: string, values: Record<string, string> = {}): string {
  return interpolate(text, {
    net: formatShortAmount(firstBlockNet),
    further: formatShortAmount(furtherBlockNet),
    ...values,
  })
}

/** Replaces {{placeholders}} in a text, as i18next does in the panel. */
export function interpolate(text: string, values: Record<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}
