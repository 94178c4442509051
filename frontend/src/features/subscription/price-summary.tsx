import { clsx } from "clsx"
import { useTranslation } from "react-i18next"
import type { QuoteOut } from "~/api/types.gen"
import { formatDate } from "~/shared/dates"
import { formatMoney } from "~/shared/money"
import { type Price, periodPrice, vatPercent } from "~/shared/price"
import { AmountRow } from "~/ui/amount-row"
import type { Change } from "./order-choice"

type PriceSummaryProps = {
  limit: number
  /** The server's word, when it is here; until then the price of one period is shown. */
  quote: QuoteOut | undefined
  /** Only the limit changes. */
  change: Change | undefined
  /** What is shown is of the limit before this one. */
  busy: boolean
}

/** Subtotal, VAT and gross total of what the button below it orders. */
export function PriceSummary({ limit, quote, change, busy }: PriceSummaryProps) {
  const { t } = useTranslation()
  const words = t("subscription.driverLimit", { count: limit })
  const price: Price = change ?? quote ?? periodPrice(limit)
  const free = change?.gross === 0

  return (
    <section aria-label={t("subscription.order.summary.title")} aria-busy={busy || undefined}>
      <h3 className="text-base">{t("subscription.order.summary.title")}</h3>
      <div className={clsx("mt-3 flex flex-col gap-3", busy && "opacity-55")}>
        {free ? (
          <>
            <p className="font-semibold">{t("subscription.order.summary.nothing")}</p>
            <p className="text-sm text-ink-soft">
              {change.kind === "upgrade"
                ? t("subscription.order.summary.limitNow", { limit: words })
                : t("subscription.order.summary.nextPeriod", {
                    date: formatDate(change.from),
                    limit: words,
                    net: formatMoney(periodPrice(limit).net),
                  })}
            </p>
          </>
        ) : (
          <>
            <dl className="figures flex flex-col gap-1.5">
              <Lines limit={words} price={price} quote={quote} change={change} />
              <AmountRow name={t("subscription.order.summary.net")} ruled>
                {formatMoney(price.net)}
              </AmountRow>
              <AmountRow name={t("subscription.order.summary.vat", { percent: vatPercent })}>
                {formatMoney(price.vat)}
              </AmountRow>
              <AmountRow name={t("subscription.order.summary.gross")} total>
                {formatMoney(price.gross)}
              </AmountRow>
            </dl>
            <When limit={words} quote={quote} change={change} />
          </>
        )}
      </div>
      <p role="status" className="sr-only">
        {!busy &&
          t("subscription.order.summary.said", { limit: words, gross: formatMoney(price.gross) })}
      </p>
    </section>
  )
}

type Parts = { limit: string; quote: QuoteOut | undefined; change: Change | undefined }

function Lines({ limit, price, quote, change }: Parts & { price: Price }) {
  const { t } = useTranslation()
  if (change) {
    return (
      <AmountRow name={t("subscription.order.summary.upgradeRest")}>
        {formatMoney(change.net)}
      </AmountRow>
    )
  }
  const period = t("subscription.order.summary.period", { limit })
  if (!quote) return <AmountRow name={period}>{formatMoney(price.net)}</AmountRow>
  return quote.lines.map(({ kind, days, net }, place) => (
    <AmountRow
      // biome-ignore lint/suspicious/noArrayIndexKey: two parts of one upgrade differ in nothing else
      key={place}
      name={
        kind === "period" ? period : t("subscription.order.summary.upgrade", { count: days ?? 0 })
      }
    >
      {formatMoney(net)}
    </AmountRow>
  ))
}

function When({ limit, quote, change }: Parts) {
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
