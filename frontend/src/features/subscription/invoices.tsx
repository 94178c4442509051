import { useQuery } from "@tanstack/react-query"
import { Download, FileText } from "lucide-react"
import { useTranslation } from "react-i18next"
import { listInvoicesOptions } from "~/api/@tanstack/react-query.gen"
import { getInvoicePdf } from "~/api/sdk.gen"
import type { InvoiceOut } from "~/api/types.gen"
import { formatDate } from "~/shared/dates"
import { formatMoney } from "~/shared/money"
import { problemSentence } from "~/shared/problem"
import { useDownload } from "~/shared/use-download"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { Empty } from "~/ui/empty"
import { Failure } from "~/ui/failure"
import { Spinner } from "~/ui/spinner"
import { showToast } from "~/ui/toasts"

const freshFor = 60_000
const drawnWithin = 2000
const quickLooks = 5
const drawnAtLast = 15_000
const looksAtMost = 20

/** What was paid for, newest first. An invoice is drawn within seconds; until then we look again. */
export function Invoices() {
  const { t } = useTranslation()
  const invoices = useQuery({
    ...listInvoicesOptions(),
    staleTime: freshFor,
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < looksAtMost && state.data?.some(({ pdfReady }) => !pdfReady)
        ? state.dataUpdateCount > quickLooks
          ? drawnAtLast
          : drawnWithin
        : false,
  })

  return (
    <Card>
      <h2 className="border-b border-line px-5 py-4 text-lg">{t("subscription.invoices.title")}</h2>
      {invoices.isPending && <Spinner label={t("subscription.invoices.loading")} />}
      {invoices.isError && (
        <div className="p-5">
          <Failure
            title={t("subscription.invoices.loadFailed")}
            error={invoices.error}
            onRetry={() => void invoices.refetch()}
            retrying={invoices.isFetching}
          />
        </div>
      )}
      {invoices.data?.length === 0 && (
        <Empty icon={FileText} title={t("subscription.invoices.empty")}>
          {t("subscription.invoices.emptyText")}
        </Empty>
      )}
      {invoices.data && invoices.data.length > 0 && (
        <ul className="divide-y divide-line">
          {invoices.data.map((invoice) => (
            <Invoice key={invoice.id} invoice={invoice} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Invoice({ invoice }: { invoice: InvoiceOut }) {
  const { t } = useTranslation()
  const { id, number, issuedAt, gross, pdfReady } = invoice
  const file = useDownload(
    () => getInvoicePdf({ path: { invoice_id: id }, parseAs: "blob", throwOnError: true }),
    `${number.replace(/[^\w.-]+/g, "-")}.pdf`,
  )
  const failed = t("subscription.invoices.downloadFailed")
  const download = () =>
    file.mutate(undefined, {
      onError: (error) =>
        showToast({
          tone: "error",
          title: t("subscription.toast.error"),
          description: problemSentence(t, error, failed),
        }),
    })

  return (
    <li className="flex flex-col gap-3 px-5 py-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <div className="mr-auto">
          <p className="serial font-semibold">{number}</p>
          <p className="figures text-sm text-ink-soft">
            <span className="sr-only">{t("subscription.invoices.issued")} </span>
            {formatDate(issuedAt)}
          </p>
        </div>
        <p className="figures font-semibold whitespace-nowrap">
          <span className="sr-only">{t("subscription.invoices.gross")} </span>
          {formatMoney(gross)}
        </p>
        {pdfReady ? (
          <Button
            variant="secondary"
            size="sm"
            loading={file.isPending}
            onClick={download}
            aria-label={t("subscription.invoices.download", { number })}
          >
            {!file.isPending && <Download aria-hidden className="size-4" />}
            {t("subscription.invoices.pdf")}
          </Button>
        ) : (
          <p className="text-sm text-ink-soft">{t("subscription.invoices.preparing")}</p>
        )}
      </div>
      {file.error && <Alert>{problemSentence(t, file.error, failed)}</Alert>}
    </li>
  )
}
