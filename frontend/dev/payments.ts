/**
 * The mock's till: prices, orders and invoices from memory. `url` of an order leads straight to the
 * success page, where an order is paid once it was asked for three times; one by a BLIK code that
 * begins with 9 fails, one for 500 drivers is refused at once.
 */

import type {
  ChangeLimitIn,
  CheckoutIn,
  InvoiceOut,
  Method,
  OrderOut,
  QuoteOut,
} from "../src/api/types.gen.ts"
import { periodPrice } from "../src/shared/price.ts"
import { daysAgo, newId, type Scenario } from "./scenarios.ts"

const daysLeft = 10
const asked = new Map<string, number>()
const orders = new Map<string, OrderOut>()

export const methods = [
  { method: "card", blikCode: false, renews: true },
  { method: "blik", blikCode: true, renews: false },
  { method: "przelewy24", blikCode: false, renews: false },
  { method: "transfer", blikCode: false, renews: false },
]

const half = (amount: number, divisor: number) => Math.floor((2 * amount + divisor) / (2 * divisor))
const isRunning = ({ subscription }: Scenario) =>
  subscription.status === "active" && !subscription.isTrial

export function quote(now: Scenario, driverLimit: number): QuoteOut {
  const { subscription } = now
  const price = periodPrice(driverLimit)
  const end = subscription.endDate ?? daysAgo(0)
  const base = {
    driverLimit,
    lines: [{ kind: "period" as const, days: null, ...price }],
    ...price,
    newEndDate: new Date(Date.parse(end) + 30 * 86_400_000).toISOString(),
    limitFrom: null,
    change: null,
  }
  if (!isRunning(now) || driverLimit === subscription.driverLimit) return base
  if (driverLimit < subscription.driverLimit) {
    const change = { kind: "downgrade" as const, net: 0, vat: 0, gross: 0, from: end }
    return { ...base, limitFrom: end, change }
  }
  const net = half((price.net - periodPrice(subscription.driverLimit).net) * daysLeft, 30)
  const vat = half(net * 23, 100)
  const upgrade = { kind: "upgrade" as const, net, vat, gross: net + vat }
  return {
    ...base,
    lines: [{ ...upgrade, days: daysLeft }, ...base.lines],
    net: price.net + net,
    vat: price.vat + vat,
    gross: price.gross + upgrade.gross,
    change: { ...upgrade, from: daysAgo(0) },
  }
}

export function order(
  method: Method,
  driverLimit: number,
  changes: Partial<OrderOut> = {},
): OrderOut {
  const id = newId()
  const placed: OrderOut = {
    id,
    kind: "period",
    state: "open",
    method,
    driverLimit,
    ...periodPrice(driverLimit),
    createdAt: daysAgo(0),
    url: method === "transfer" ? null : `/panel/subscription/success?order=${id}`,
    transfer:
      method === "transfer"
        ? {
            title: "PRAWKO 7K3M9QX2A4BC",
            iban: "PL61109010140000071219812874",
            owner: "Prawko sp. z o.o.",
            address: "ul. Prosta 1, 00-838 Warszawa",
          }
        : null,
    reason: null,
    ...changes,
  }
  orders.set(id, placed)
  return placed
}

export function checkout(now: Scenario, asks: CheckoutIn) {
  const method = asks.method ?? "card"
  const placed = order(method, asks.driverLimit, {
    state: asks.blikCode?.startsWith("9") ? "failed" : "open",
  })
  now.subscription.openOrder = placed
  const ours = method === "transfer" ? "/panel/subscription" : "/panel/subscription/success"
  return { url: `${ours}?order=${placed.id}`, orderId: placed.id }
}

export function changeLimit(now: Scenario, asks: ChangeLimitIn) {
  const { subscription } = now
  if (asks.driverLimit > subscription.driverLimit) {
    if (asks.method) {
      const { url, orderId } = checkout(now, { ...subscription.user, ...asks })
      return { url, orderId, subscription }
    }
    Object.assign(subscription, { driverLimit: asks.driverLimit, nextLimit: null })
  } else if (asks.driverLimit === subscription.driverLimit) {
    Object.assign(subscription, { nextLimit: null, nextLimitAt: null })
  } else {
    const { driverLimit: nextLimit } = asks
    Object.assign(subscription, { nextLimit, nextLimitAt: subscription.endDate })
  }
  return { url: null, orderId: null, subscription }
}

/** The order as it stands; waiting for it is what lets it be paid. */
export function orderNow(now: Scenario, id: string): OrderOut | undefined {
  const found = orders.get(id)
  if (!found) return undefined
  const times = (asked.get(id) ?? 0) + 1
  asked.set(id, times)
  if (found.state === "open" && times > 3) {
    found.state = "paid"
    Object.assign(now.subscription, {
      status: "active",
      isTrial: false,
      driverLimit: found.driverLimit,
      endDate: daysAgo(-30),
      daysLeft: 30,
      openOrder: null,
    })
    now.invoices.unshift(invoice(now.invoices.length + 1, found))
  }
  return found
}

export function invoice(
  number: number,
  { net, vat, gross }: Pick<InvoiceOut, "net" | "vat" | "gross"> = periodPrice(5),
): InvoiceOut {
  return {
    id: newId(),
    number: `FV/2026/11/${String(number).padStart(4, "0")}`,
    issuedAt: daysAgo(40 - number * 10),
    net,
    vat,
    gross,
    currency: "PLN",
    pdfReady: number !== 3,
    ksefState: "numbered",
  }
}
