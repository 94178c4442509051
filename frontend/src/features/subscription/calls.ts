/** The calls of subscription and payments, and what they answer. */

import { queryOptions, type UseMutationOptions } from "@tanstack/react-query"
import { client } from "~/api/client.gen"
import type { CompanyDetails, SubscriptionOut as KnownSubscription } from "~/api/types.gen"

export type Method = "card" | "blik" | "przelewy24" | "transfer"

export type TransferOut = { title: string; iban: string; owner: string; address: string }

export type OrderOut = {
  id: string
  kind: "period" | "upgrade" | "renewal"
  state: "open" | "paid" | "failed" | "expired" | "void"
  method: Method
  driverLimit: number
  net: number
  vat: number
  gross: number
  createdAt: string
  url: string | null
  transfer: TransferOut | null
  reason: string | null
}

export type SubscriptionOut = KnownSubscription & {
  priceNet: number
  drivers: number
  nextLimit: number | null
  nextLimitAt: string | null
  renews: boolean
  mandateLabel: string | null
  graceUntil: string | null
  openOrder: OrderOut | null
}

export type PaymentMethodOut = { method: Method; blikCode: boolean; renews: boolean }

export type QuoteLineOut = {
  kind: "period" | "upgrade"
  days: number | null
  net: number
  vat: number
  gross: number
}

export type ChangeQuoteOut = {
  kind: "upgrade" | "downgrade"
  net: number
  vat: number
  gross: number
  from: string
}

export type QuoteOut = {
  driverLimit: number
  lines: QuoteLineOut[]
  net: number
  vat: number
  gross: number
  newEndDate: string
  limitFrom: string | null
  change: ChangeQuoteOut | null
}

export type InvoiceOut = {
  id: string
  number: string
  issuedAt: string
  net: number
  vat: number
  gross: number
  currency: string
  pdfReady: boolean
  ksefState: string | null
}

export type CheckoutIn = CompanyDetails & {
  driverLimit: number
  method?: Method
  blikCode?: string
}
export type CheckoutOut = { url: string; orderId: string }
export type ChangeLimitIn = { driverLimit: number; method?: Method; blikCode?: string }
export type ChangeLimitOut = {
  url: string | null
  orderId: string | null
  subscription: SubscriptionOut
}
export type CancelOut = { status: string; cancelled: boolean; endsAt: string }

type Body<B> = { body: B }
type Calling<Out, In> = UseMutationOptions<Out, Error, In>

async function read<T>(url: string, signal: AbortSignal, options: object = {}): Promise<T> {
  const { data } = await client.get({ url, signal, throwOnError: true, ...options })
  return data as T
}

async function write<T>(method: "POST" | "PUT", url: string, body?: unknown): Promise<T> {
  const { data } = await client.request({
    method,
    url,
    throwOnError: true,
    ...(body === undefined ? {} : { body, headers: { "Content-Type": "application/json" } }),
  })
  return data as T
}

export const listPaymentMethodsOptions = () =>
  queryOptions<PaymentMethodOut[]>({
    queryKey: ["listPaymentMethods"],
    queryFn: ({ signal }) => read("/api/payment-methods", signal),
  })

export const quoteOrderOptions = (options: { query: { driverLimit: number } }) =>
  queryOptions<QuoteOut>({
    queryKey: ["quoteOrder", options],
    queryFn: ({ signal }) => read("/api/subscription/quote", signal, options),
  })

export const getOrderOptions = (options: { path: { order_id: string } }) =>
  queryOptions<OrderOut>({
    queryKey: ["getOrder", options],
    queryFn: ({ signal }) => read("/api/orders/{order_id}", signal, options),
  })

export const listInvoicesQueryKey = () => ["listInvoices"]

export const listInvoicesOptions = () =>
  queryOptions<InvoiceOut[]>({
    queryKey: listInvoicesQueryKey(),
    queryFn: ({ signal }) => read("/api/invoices", signal),
  })

export const getInvoicePdf = (options: { path: { invoice_id: string } }) =>
  client.get<Blob, unknown, true>({
    url: "/api/invoices/{invoice_id}/pdf",
    parseAs: "blob",
    throwOnError: true,
    ...options,
  }) as unknown as Promise<{ data: Blob; response: Response }>

export const setBillingDetailsMutation = (): Calling<CompanyDetails, Body<CompanyDetails>> => ({
  mutationFn: ({ body }) => write("PUT", "/api/user/billing-details", body),
})

export const createCheckoutSessionMutation = (): Calling<CheckoutOut, Body<CheckoutIn>> => ({
  mutationFn: ({ body }) => write("POST", "/api/subscription/create-checkout-session", body),
})

export const changeLimitMutation = (): Calling<ChangeLimitOut, Body<ChangeLimitIn>> => ({
  mutationFn: ({ body }) => write("POST", "/api/subscription/change-limit", body),
})

export const cancelSubscriptionMutation = (): Calling<CancelOut, object> => ({
  mutationFn: () => write("POST", "/api/subscription/cancel"),
})

export const resumeSubscriptionMutation = (): Calling<SubscriptionOut, object> => ({
  mutationFn: () => write("POST", "/api/subscription/resume"),
})
