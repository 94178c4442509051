/**
 * The prices, orders and invoices of the mock, kept in memory. The `url` of an order is the success
 * page itself, where the order becomes paid on the fourth request. An order with a BLIK code that
 * begins with 9 fails, and one for 500 drivers is refused.
 */

import type {
  ChangeLimitIn,
  CheckoutIn,
  InvoiceOut,
  OrderOut,
  PaymentMethod,
  QuoteOut,
} from "../src/api/types.gen.ts"
import { periodPrice } from "../src/lib/price.ts"
import { daysAgo, newId, type Scenario } from "./scenario.ts"

const daysLeft = 10
const pollCounts = new Map<string, number>()
const orders = new Map<string, OrderOut>()

export const methods = [
  { method: "card", blikCode: false, renews: true },
  { method: "blik", blikCode: true, renews: false },
  { method: "przelewy24", blikCode: false, renews: false },
  { method: "transfer", blikCode: false, renews: false },
]

const divideRounded = (amount: number, divisor: number) =>
  Math.floor((2 * amount + divisor) / (2 * divisor))
const isRunning = ({ subscription }: Scenario) =>
  subscription.status === "active" && !subscription.isTrial

export function quote(scenario: Scenario, driverLimit: number): QuoteOut {
  const { subscription } = scenario
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
  if (!isRunning(scenario) || driverLimit === subscription.driverLimit) return base
  if (driverLimit < subscription.driverLimit) {
    const change = { kind: "downgrade" as const, net: 0, vat: 0, gross: 0, from: end }
    return { ...base, limitFrom: end, change }
  }
  const net = divideRounded((price.net - periodPrice(subscription.driverLimit).net) * daysLeft, 30)
  const vat = divideRounded(net * 23, 100)
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

export function createOrder(
  method: PaymentMethod,
  driverLimit: number,
  changes: Partial<OrderOut> = {},
): OrderOut {
  const id = newId()
  const created: OrderOut = {
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
  orders.set(id, created)
  return created
}

export function checkout(scenario: Scenario, request: CheckoutIn) {
  const method = request.method ?? "card"
  const created = createOrder(method, request.driverLimit, {
    state: request.blikCode?.startsWith("9") ? "failed" : "open",
  })
  scenario.subscription.openOrder = created
  const path = method === "transfer" ? "/panel/subscription" : "/panel/subscription/success"
  return { url: `${path}?order=${created.id}`, orderId: created.id }
}

export function changeLimit(scenario: Scenario, request: ChangeLimitIn) {
  const { subscription } = scenario
  if (request.driverLimit > subscription.driverLimit) {
    if (request.method) {
      const { url, orderId } = checkout(scenario, { ...subscription.user, ...request })
      return { url, orderId, subscription }
    }
    Object.assign(subscription, { driverLimit: request.driverLimit, nextLimit: null })
  } else if (request.driverLimit === subscription.driverLimit) {
    Object.assign(subscription, { nextLimit: null, nextLimitAt: null })
  } else {
    const { driverLimit: nextLimit } = request
    Object.assign(subscription, { nextLimit, nextLimitAt: subscription.endDate })
  }
  return { url: null, orderId: null, subscription }
}

/** The order in its current state; polling it is what makes it paid. */
export function pollOrder(scenario: Scenario, id: string): OrderOut | undefined {
  const found = orders.get(id)
  if (!found) return undefined
  const times = (pollCounts.get(id) ?? 0) + 1
  pollCounts.set(id, times)
  if (found.state === "open" && times > 3) {
    found.state = "paid"
    Object.assign(scenario.subscription, {
      status: "active",
      isTrial: false,
      driverLimit: found.driverLimit,
      endDate: daysAgo(-30),
      daysLeft: 30,
      openOrder: null,
    })
    scenario.invoices.unshift(createInvoice(scenario.invoices.length + 1, found))
  }
  return found
}

export function createInvoice(
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
