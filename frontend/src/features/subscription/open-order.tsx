import { Clock } from "lucide-react"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { OrderOut } from "~/api/types.gen"
import { formatMoment } from "~/shared/dates"
import { useLeave } from "~/shared/leave"
import { formatMoney } from "~/shared/money"
import { Button, ButtonLink } from "~/ui/button"
import { Card } from "~/ui/card"
import { CopyButton } from "~/ui/copy-button"

/** An order that is still to be paid, and the way to pay it. */
export function OpenOrder({ order }: { order: OrderOut }) {
  const { t } = useTranslation()
  const { leave, leaving } = useLeave()
  const { url, transfer } = order
  const limit = t("subscription.driverLimit", { count: order.driverLimit })
  const what = order.kind === "upgrade" ? "upgrade" : "period"

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
              t(`subscription.openOrder.${what}`, { limit }),
              t("subscription.openOrder.amount", { gross: formatMoney(order.gross) }),
              t(`subscription.order.method.${order.method}`),
              t("subscription.openOrder.placed", { date: formatMoment(order.createdAt) }),
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
            <Button loading={leaving} onClick={() => leave(url)}>
              {t("subscription.openOrder.continue")}
            </Button>
          )}
          {!transfer && (
            <ButtonLink
              variant="secondary"
              to={`/panel/subscription/success?order=${encodeURIComponent(order.id)}`}
            >
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

/** What to type into the bank's form; each piece can be copied. */
function TransferDetails({ transfer, gross }: { transfer: Transfer; gross: number }) {
  const { t } = useTranslation()
  const { title, iban, owner, address } = transfer
  const amount = formatMoney(gross)
  return (
    <>
      <p className="max-w-2xl">{t("subscription.openOrder.transfer.lead")}</p>
      <dl className="divide-y divide-line rounded-md border border-line">
        <Piece name={t("subscription.openOrder.transfer.title")} copied={title}>
          <span className="serial text-lg whitespace-normal! wrap-anywhere">{title}</span>
        </Piece>
        <Piece name={t("subscription.openOrder.transfer.iban")} copied={bareIban(iban)}>
          <span className="figures">{groupedIban(iban)}</span>
        </Piece>
        <Piece name={t("subscription.openOrder.transfer.amount")} copied={amountToType(gross)}>
          <span className="figures">{amount}</span>
        </Piece>
        <Piece name={t("subscription.openOrder.transfer.owner")} copied={owner}>
          {owner}
        </Piece>
        {address && (
          <Piece name={t("subscription.openOrder.transfer.address")} copied={address}>
            {address}
          </Piece>
        )}
      </dl>
    </>
  )
}

type PieceProps = { name: string; copied: string; children: ReactNode }

function Piece({ name, copied, children }: PieceProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-1.5 pr-1.5 pl-4">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="col-start-1 font-semibold wrap-anywhere">{children}</dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <CopyButton text={copied} name={name} />
      </dd>
    </div>
  )
}

const bareIban = (iban: string) => iban.replace(/\s/g, "")

/** "PL61109010140000071219812874" → "PL61 1090 1014 0000 0712 1981 2874". */
export const groupedIban = (iban: string) => bareIban(iban).replace(/(.{4})(?=.)/g, "$1 ")

/** 18327 grosze → "183,27", as a bank's form takes it. */
export const amountToType = (grosze: number) => (grosze / 100).toFixed(2).replace(".", ",")
