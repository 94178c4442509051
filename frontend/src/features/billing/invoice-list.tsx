import { useQuery } from "@tanstack/react-query"
import { FileText } from "lucide-react"
import { useTranslation } from "react-i18next"
import { listInvoicesOptions } from "~/api/@tanstack/react-query.gen"
import { getInvoicePdf } from "~/api/sdk.gen"
import type { InvoiceOut } from "~/api/types.gen"
import { orderOutcomes } from "~/entities/subscription/use-subscription"
import { asFile, useDownload } from "~/hooks/use-download"
import { formatDate } from "~/lib/dates"
import { formatAmount } from "~/lib/money"
import { Card } from "~/ui/card"
import { DownloadButton } from "~/ui/download-button"
import { EmptyState } from "~/ui/empty-state"
import { ErrorAlert } from "~/ui/error-alert"
import { QueryState } from "~/ui/query-state"
import { SectionHead } from "~/ui/section-head"

const staleTime = 60_000
const firstPollInterval = 2000
const firstPolls = 5
const laterPollInterval = 15_000
const maxFetches = 20

/** The invoices, newest first. A PDF is ready within seconds; until then the list polls. */
export function InvoiceList() {
  const { t } = useTranslation()
  const invoices = useQuery({
    ...listInvoicesOptions(),
    staleTime,
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < maxFetches && state.data?.some(({ pdfReady }) => !pdfReady)
        ? state.dataUpdateCount > firstPolls
          ? laterPollInterval
          : firstPollInterval
        : false,
  })

  return (
    <Card>
      <SectionHead title={t("subscription.invoices.title")} />
      <QueryState
        query={invoices}
        loadingLabel={t("subscription.invoices.loading")}
        errorTitle={t("subscription.invoices.loadFailed")}
        errorClassName="m-5"
        keepData
      >
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={FileText} title={t("subscription.invoices.empty")}>
              {t("subscription.invoices.emptyText")}
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line">
              {list.map((invoice) => (
                <InvoiceRow key={invoice.id} invoice={invoice} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </Card>
  )
}

function InvoiceRow({ invoice }: { invoice: InvoiceOut }) {
  const { t } = useTranslation()
  const { id, number, issuedAt, gross, pdfReady } = invoice
  const failed = t("subscription.invoices.downloadFailed")
  const pdf = useDownload(
    () => getInvoicePdf({ path: { invoice_id: id }, ...asFile }),
    `${number.replace(/[^\w.-]+/g, "-")}.pdf`,
    orderOutcomes(t, { failed }),
  )
  return (
    <li className="flex flex-col gap-3 px-5 py-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <div className="mr-auto">
          <p className="figures font-semibold">{number}</p>
          <p className="figures text-sm text-ink-soft">
            <span className="sr-only">{t("subscription.invoices.issued")} </span>
            {formatDate(issuedAt)}
          </p>
        </div>
        <p className="figures font-semibold whitespace-nowrap">
          <span className="sr-only">{t("subscription.invoices.gross")} </span>
          {formatAmount(gross)}
        </p>
        {pdfReady ? (
          <DownloadButton
            download={pdf}
            variant="secondary"
            size="sm"
            aria-label={t("subscription.invoices.download", { number })}
          >
            {t("subscription.invoices.pdf")}
          </DownloadButton>
        ) : (
          <p className="text-sm text-ink-soft">{t("subscription.invoices.preparing")}</p>
        )}
      </div>
      <ErrorAlert error={pdf.error} fallback={failed} />
    </li>
  )
}
