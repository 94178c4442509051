import { Check } from "lucide-react"
import { useId, useState } from "react"
import { contactEmail } from "~/lib/brand"
import type { Language } from "~/lib/language"
import { formatAmount, formatShortAmount } from "~/lib/money"
import {
  driverLimitStep,
  limitRangeError,
  maxDriverLimit,
  minDriverLimit,
  type Price,
  periodPrice,
  vatPercent,
} from "~/lib/price"
import type polish from "~/locales/pl/landing.json"
import { AmountRow } from "~/ui/amount-row"
import { ButtonLink } from "~/ui/button"
import { Card } from "~/ui/card"
import { Stepper } from "~/ui/stepper"
import { interpolate } from "./interpolate"

type PricingTexts = typeof polish.pricing

const firstBlockNet = periodPrice(minDriverLimit).net
const furtherBlockNet = periodPrice(minDriverLimit + driverLimitStep).net - firstBlockNet

/** The net price of the smallest plan, formatted. */
export const lowestNetPrice = formatShortAmount(firstBlockNet)

/** The price of 30 days for a number of drivers, and what it includes. */
export function Pricing({ texts, language }: { texts: PricingTexts; language: Language }) {
  const titleId = useId()
  const [limit, setLimit] = useState(minDriverLimit)
  const rangeError = limitRangeError(limit)
  const numberFormat = new Intl.NumberFormat(language)

  return (
    <section id="pricing" aria-labelledby={titleId} className="mt-16 border-t border-line pt-14">
      <h2 id={titleId} className="max-w-2xl text-2xl sm:text-3xl">
        {interpolate(texts.title, { net: lowestNetPrice })}
      </h2>
      <p className="mt-4 max-w-2xl text-pretty text-ink-soft">
        {interpolate(texts.lead, {
          least: numberFormat.format(minDriverLimit),
          net: lowestNetPrice,
          further: formatShortAmount(furtherBlockNet),
        })}
      </p>
      <Card className="mt-8 grid overflow-hidden lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="p-6 sm:p-8">
          <Stepper
            label={texts.limit.label}
            decrementLabel={texts.limit.less}
            incrementLabel={texts.limit.more}
            value={limit}
            onChange={setLimit}
            min={minDriverLimit}
            max={maxDriverLimit}
            step={driverLimitStep}
            error={
              rangeError &&
              interpolate(texts.limit[rangeError], {
                most: numberFormat.format(maxDriverLimit),
                address: contactEmail,
              })
            }
            hint={texts.limit.hint}
          />
        </div>
        <PriceCard
          texts={texts.price}
          limit={numberFormat.format(limit)}
          price={rangeError ? undefined : periodPrice(limit)}
        />
        <div className="p-6 sm:p-8 lg:pt-0">
          <h3 className="text-base">{texts.included.title}</h3>
          <ul className="mt-3 flex flex-col gap-2.5">
            {texts.included.points.map((point) => (
              <li key={point} className="flex gap-2.5 text-pretty">
                <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-valid" />
                {point}
              </li>
            ))}
          </ul>
        </div>
      </Card>
    </section>
  )
}

type PriceCardProps = {
  texts: PricingTexts["price"]
  limit: string
  /** Undefined if the number of drivers cannot be ordered. */
  price: Price | undefined
}

function PriceCard({ texts, limit, price }: PriceCardProps) {
  const noPrice = "–"
  return (
    <div className="flex flex-col gap-5 border-line bg-sunken p-6 max-lg:border-y sm:p-8 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:border-l">
      <dl className="figures flex flex-col gap-1.5">
        <div className="mb-3">
          <dt className="font-semibold">{interpolate(texts.plan, { limit })}</dt>
          <dd className="mt-2 flex flex-wrap items-baseline gap-x-2.5">
            <span className="text-3xl font-bold tracking-tight whitespace-nowrap sm:text-figure">
              {price ? formatShortAmount(price.net) : noPrice}
            </span>
            <span className="text-lg text-ink-soft">{texts.net}</span>
          </dd>
        </div>
        <AmountRow label={interpolate(texts.vat, { percent: String(vatPercent) })} divider>
          {price ? formatAmount(price.vat) : noPrice}
        </AmountRow>
        <AmountRow label={texts.gross} total>
          {price ? formatAmount(price.gross) : noPrice}
        </AmountRow>
      </dl>
      <ButtonLink to="/auth/register">{texts.register}</ButtonLink>
      <p className="text-sm text-pretty text-ink-soft">{texts.trial}</p>
      <p role="status" className="sr-only">
        {price &&
          interpolate(texts.said, {
            limit,
            net: formatShortAmount(price.net),
            gross: formatAmount(price.gross),
          })}
      </p>
    </div>
  )
}
