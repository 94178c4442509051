import { Clock } from "lucide-react"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { OrderOut } from "~/api/types.gen"
import { useExternalRedirect } from "~/hooks/use-external-redirect"
import { formatDateTime } from "~/lib/dates"
import { formatAmount } from "~/lib/money"
import { Button } from "~/ui/button"
import { ButtonLink } from "~/ui/button-link"
import { Card } from "~/ui/card"
import { CopyButton } from "~/ui/copy-button"
import { successPath } from "./payment-paths"

/** An unpaid order, with the way to pay it. */
export function OpenOrder({ order }: { order: OrderOut }) {
  const { t } = useTranslation()
  const { redirect, redirecting } = useExternalRedirect()
  const { url, transfer } = order
  const limit = t("subscription.driverLimit", { count: order.driverLimit })
  const titleKey = order.kind === "upgrade" ? "upgrade" : "period"

  return (
    <Card className="border-l-4 border-l-caution">
      <div className="flex flex-col gap-4 p-5">
        <div>
          <h2 className="flex items-center gap-2.5 text-lg">
            <Clock aria-hidden className="size-5 shrink-0 text-caution-ink" />
            {t("subscription.openOrder.title")}
          </h2>
          <p className="figures mt-1 text-sm text-ink-soft">
            {[
              t(`subscription.openOrder.${titleKey}`, { limit }),
              t("subscription.openOrder.amount", { gross: formatAmount(order.gross) }),
              t(`subscription.order.method.${order.method}`),
              t("subscription.openOrder.placed", { date: formatDateTime(order.createdAt) }),
            ].join(" · ")}
          </p>
        </div>
        {transfer ? (
          <TransferDetails transfer={transfer} gross={order.gross} />
        ) : (
          <p>
            {t(
              order.method === "blik" && !url
                ? "subscription.openOrder.blik"
                : "subscription.openOrder.card",
            )}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          {url && (
            <Button loading={redirecting} onClick={() => redirect(url)}>
              {t("subscription.openOrder.continue")}
            </Button>
          )}
          {!transfer && (
            <ButtonLink variant="secondary" to={successPath(order.id)}>
              {t("subscription.openOrder.wait")}
            </ButtonLink>
          )}
          <p className="text-sm text-ink-soft">{t("subscription.openOrder.replaced")}</p>
        </div>
      </div>
    </Card>
  )
}

type Transfer = NonNullable<OrderOut["transfer"]>

/** The data for the bank's transfer form; each value can be copied. */
function TransferDetails({ transfer, gross }: { transfer: Transfer; gross: number }) {
  const { t } = useTranslation()
  const { title, iban, owner, address } = transfer
  const amount = formatAmount(gross)
  return (
    <>
      <p className="max-w-2xl">{t("subscription.openOrder.transfer.lead")}</p>
      <dl className="divide-y divide-line rounded-md border border-line">
        <TransferDetail name={t("subscription.openOrder.transfer.title")} copyText={title}>
          <span className="serial text-lg whitespace-normal! wrap-anywhere">{title}</span>
        </TransferDetail>
        <TransferDetail
          name={t("subscription.openOrder.transfer.iban")}
          copyText={normaliseIban(iban)}
        >
          <span className="figures">{formatIban(iban)}</span>
        </TransferDetail>
        <TransferDetail
          name={t("subscription.openOrder.transfer.amount")}
          copyText={formatTransferAmount(gross)}
        >
          <span className="figures">{amount}</span>
        </TransferDetail>
        <TransferDetail name={t("subscription.openOrder.transfer.owner")} copyText={owner}>
          {owner}
        </TransferDetail>
        {address && (
          <TransferDetail name={t("subscription.openOrder.transfer.address")} copyText={address}>
            {address}
          </TransferDetail>
        )}
      </dl>
    </>
  )
}

type TransferDetailProps = { name: string; copyText: string; children: ReactNode }

function TransferDetail({ name, copyText, children }: TransferDetailProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-1.5 pr-1.5 pl-4">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="col-start-1 font-semibold wrap-anywhere">{children}</dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <CopyButton text={copyText} name={name} />
      </dd>
    </div>
  )
}

const normaliseIban = (iban: string) => iban.replace(/\s/g, "")

/** "PL61109010140000071219812874" → "PL61 1090 1014 0000 0712 1981 2874". */
const formatIban = (iban: string) => normaliseIban(iban).replace(/(.{4})(?=.)/g, "$1 ")

/** 18327 grosze → "183,27", as transfer forms expect it. */
const formatTransferAmount = (grosze: number) => (grosze / 100).toFixed(2).replace(".", ",")
