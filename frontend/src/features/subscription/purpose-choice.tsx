import { useTranslation } from "react-i18next"
import type { QuoteOut } from "~/api/types.gen"
import { formatDate } from "~/shared/dates"
import { formatMoney } from "~/shared/money"
import { RadioCards } from "~/ui/radio-cards"
import type { Change, Purpose } from "./order-choice"

type PurposeChoiceProps = {
  quote: QuoteOut
  change: Change
  /** When the period that runs ends. */
  endDate: string
  chosen: Purpose
  onChoose: (purpose: Purpose) => void
}

/** In the middle of a period another limit can be had alone, or together with 30 more days. */
export function PurposeChoice({ quote, change, endDate, chosen, onChoose }: PurposeChoiceProps) {
  const { t } = useTranslation()
  const { kind } = change
  const end = formatDate(endDate)
  const dates =
    kind === "upgrade"
      ? { alone: end, both: formatDate(quote.newEndDate) }
      : { alone: formatDate(change.from), both: end }

  return (
    <RadioCards<Purpose>
      legend={t("subscription.order.purpose.legend")}
      chosen={chosen}
      onChoose={onChoose}
      choices={[
        {
          value: "change",
          title: t(`subscription.order.purpose.${kind}`),
          hint: t(`subscription.order.purpose.${kind}Hint`, { date: dates.alone }),
          end: change.gross > 0 ? formatMoney(change.gross) : t("subscription.order.purpose.free"),
        },
        {
          value: "period",
          title: t(`subscription.order.purpose.${kind}AndPeriod`),
          hint: t(`subscription.order.purpose.${kind}AndPeriodHint`, { date: dates.both }),
          end: formatMoney(quote.gross),
        },
      ]}
    />
  )
}
