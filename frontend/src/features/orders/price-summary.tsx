import { clsx } from "clsx"
import { useTranslation } from "react-i18next"
import type { QuoteOut } from "~/api/types.gen"
import { formatDate } from "~/lib/dates"
import { formatAmount } from "~/lib/money"
import { type Price, periodPrice, vatPercent } from "~/lib/price"
import { AmountRow } from "~/ui/amount-row"
import type { LimitChange } from "./order-schema"

type PriceSummaryProps = {
  limit: number
  /** The server's quote; until it is there the price of one period is shown. */
  quote: QuoteOut | undefined
  /** Set when only the limit changes. */
  change: LimitChange | undefined
  /** The price shown belongs to the previous limit. */
  isUpdating: boolean
  /** The limit has no price: it is out of range, or no number. */
  isUnknown: boolean
}

/** Subtotal, VAT and gross total of the order. */
export function PriceSummary(props: PriceSummaryProps) {
  const { limit, quote, change, isUpdating, isUnknown } = props
  const { t } = useTranslation()
  if (isUnknown) return <UnknownPrice />
  const limitText = t("subscription.driverLimit", { count: limit })
  const price: Price = change ?? quote ?? periodPrice(limit)
  const isFree = change?.gross === 0

  return (
    <section aria-label={t("subscription.order.summary.title")} aria-busy={isUpdating || undefined}>
      <h3 className="text-base">{t("subscription.order.summary.title")}</h3>
      <div className={clsx("mt-3 flex flex-col gap-3", isUpdating && "opacity-55")}>
        {isFree ? (
          <>
            <p className="font-semibold">{t("subscription.order.summary.nothing")}</p>
            <p className="text-sm text-ink-soft">
              {change.kind === "upgrade"
                ? t("subscription.order.summary.limitNow", { limit: limitText })
                : t("subscription.order.summary.nextPeriod", {
                    date: formatDate(change.from),
                    limit: limitText,
                    net: formatAmount(periodPrice(limit).net),
                  })}
            </p>
          </>
        ) : (
          <>
            <dl className="figures flex flex-col gap-1.5">
              <OrderLines limit={limitText} price={price} quote={quote} change={change} />
              <Sums price={price} />
            </dl>
            <ValidityNote limit={limitText} quote={quote} change={change} />
          </>
        )}
      </div>
      <p role="status" className="sr-only">
        {!isUpdating &&
          t("subscription.order.summary.said", {
            limit: limitText,
            gross: formatAmount(price.gross),
          })}
      </p>
    </section>
  )
}

/** The rows of the summary without amounts, so that nothing jumps while a limit is typed. */
function UnknownPrice() {
  const { t } = useTranslation()
  return (
    <section aria-label={t("subscription.order.summary.title")}>
      <h3 className="text-base">{t("subscription.order.summary.title")}</h3>
      <dl className="figures mt-3 flex flex-col gap-1.5 text-ink-soft">
        <Sums />
      </dl>
    </section>
  )
}

/** The rows of the sums; without a price a dash stands for each amount. */
function Sums({ price }: { price?: Price }) {
  const { t } = useTranslation()
  const amount = (grosze: number | undefined) => (grosze === undefined ? "–" : formatAmount(grosze))
  return (
    <>
      <AmountRow label={t("subscription.order.summary.net")} divider>
        {amount(price?.net)}
      </AmountRow>
      <AmountRow label={t("subscription.order.summary.vat", { percent: vatPercent })}>
        {amount(price?.vat)}
      </AmountRow>
      <AmountRow label={t("subscription.order.summary.gross")} total>
        {amount(price?.gross)}
      </AmountRow>
    </>
  )
}

type SummaryTextProps = {
  limit: string
  quote: QuoteOut | undefined
  change: LimitChange | undefined
}

function OrderLines({ limit, price, quote, change }: SummaryTextProps & { price: Price }) {
  const { t } = useTranslation()
  if (change) {
    return (
      <AmountRow label={t("subscription.order.summary.upgradeRest")}>
        {formatAmount(change.net)}
      </AmountRow>
    )
  }
  const period = t("subscription.order.summary.period", { limit })
  if (!quote) return <AmountRow label={period}>{formatAmount(price.net)}</AmountRow>
  return quote.lines.map(({ kind, days, net }, index) => (
    <AmountRow
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one upgrade have nothing else to tell them apart
      key={index}
      label={
        kind === "period" ? period : t("subscription.order.summary.upgrade", { count: days ?? 0 })
      }
    >
      {formatAmount(net)}
    </AmountRow>
  ))
}

function ValidityNote({ limit, quote, change }: SummaryTextProps) {
  const { t } = useTranslation()
  if (change) {
    return (
      <p className="text-sm text-ink-soft">
        {t("subscription.order.summary.limitAtOnce", { limit })}
      </p>
    )
  }
  if (!quote) return null
  return (
    <p className="text-sm text-ink-soft">
      {t("subscription.order.summary.until", { date: formatDate(quote.newEndDate) })}
      {quote.limitFrom && (
        <>
          <br />
          {t("subscription.order.summary.limitFrom", { limit, date: formatDate(quote.limitFrom) })}
        </>
      )}
    </p>
  )
}
