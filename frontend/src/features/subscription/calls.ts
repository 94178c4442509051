/** The calls for invoices, and what they answer. */

import { queryOptions } from "@tanstack/react-query"
import { client } from "~/api/client.gen"

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

export const listInvoicesQueryKey = () => ["listInvoices"]

export const listInvoicesOptions = () =>
  queryOptions<InvoiceOut[]>({
    queryKey: listInvoicesQueryKey(),
    queryFn: async ({ signal }) => {
      const { data } = await client.get({ url: "/api/invoices", signal, throwOnError: true })
      return data as InvoiceOut[]
    },
  })

export const getInvoicePdf = (options: { path: { invoice_id: string } }) =>
  client.get<Blob, unknown, true>({
    url: "/api/invoices/{invoice_id}/pdf",
    parseAs: "blob",
    throwOnError: true,
    ...options,
  }) as unknown as Promise<{ data: Blob; response: Response }>
