import { type Control, useController } from "react-hook-form"
import { useTranslation } from "react-i18next"
import type { QuoteOut } from "~/api/types.gen"
import { formatDate } from "~/lib/dates"
import { formatAmount } from "~/lib/money"
import { RadioCards } from "~/ui/radio-cards"
import type { LimitChange, OrderFields, PurchaseOption } from "./order-schema"

type PurchaseOptionFieldProps = {
  control: Control<OrderFields>
  quote: QuoteOut
  change: LimitChange
  /** The end of the current period. */
  endDate: string
}

/** During a period the limit can be changed alone, or together with an order of 30 more days. */
export function PurchaseOptionField(props: PurchaseOptionFieldProps) {
  const { control, quote, change, endDate } = props
  const { t } = useTranslation()
  const { field } = useController({ control, name: "option" })
  const { kind } = change
  const periodEnd = formatDate(endDate)
  const dates =
    kind === "upgrade"
      ? { change: periodEnd, period: formatDate(quote.newEndDate) }
      : { change: formatDate(change.from), period: periodEnd }

  return (
    <RadioCards<PurchaseOption>
      legend={t("subscription.order.purpose.legend")}
      selected={field.value}
      onSelect={field.onChange}
      options={[
        {
          value: "change",
          title: t(`subscription.order.purpose.${kind}`),
          hint: t(`subscription.order.purpose.${kind}Hint`, { date: dates.change }),
          trailing:
            change.gross > 0 ? formatAmount(change.gross) : t("subscription.order.purpose.free"),
        },
        {
          value: "period",
          title: t(`subscription.order.purpose.${kind}AndPeriod`),
          hint: t(`subscription.order.purpose.${kind}AndPeriodHint`, { date: dates.period }),
          trailing: formatAmount(quote.gross),
        },
      ]}
    />
  )
}
