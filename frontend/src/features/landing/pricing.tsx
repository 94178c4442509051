import { Check } from "lucide-react"
import { useState } from "react"
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
import { buttonStyles } from "~/ui/button"
import { Card } from "~/ui/card"
import { ContactLink } from "~/ui/contact-link"
import { Stepper } from "~/ui/stepper"
import { PlanChoice } from "./plan-choice"
import { interpolate, interpolatePrices } from "./prices"
import { Section } from "./section"

const exampleLimit = 300
const exampleValues = {
  limit: String(exampleLimit),
  first: String(minDriverLimit),
  blocks: String((exampleLimit - minDriverLimit) / driverLimitStep),
  total: formatShortAmount(periodPrice(exampleLimit).net),
}

type PricingTexts = typeof polish.pricing

/** The price of 30 days for a number of drivers, and what it includes. */
export function Pricing({ texts, language }: { texts: PricingTexts; language: Language }) {
  const [limit, setLimit] = useState(minDriverLimit)
  const rangeError = limitRangeError(limit)
  const numberFormat = new Intl.NumberFormat(language)

  return (
    <Section
      id="pricing"
      onBand
      title={interpolatePrices(texts.title)}
      lead={interpolatePrices(texts.lead, { least: numberFormat.format(minDriverLimit) })}
    >
      <Card className="mt-10 grid overflow-hidden lg:grid-cols-[minmax(0,1fr)_24rem]">
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
              rangeError && (
                <LimitError
                  text={texts.limit[rangeError]}
                  most={numberFormat.format(maxDriverLimit)}
                />
              )
            }
            hint={texts.limit.hint}
          />
          <p className="mt-2 text-sm text-pretty text-ink-soft">
            {interpolatePrices(texts.example, exampleValues)}
          </p>
          <PlanChoice
            texts={texts.plans}
            most={numberFormat.format(maxDriverLimit)}
            limit={limit}
            onChange={setLimit}
          />
        </div>
        <PriceCard
          texts={texts.price}
          drivers={limit}
          limit={Number.isNaN(limit) ? "–" : numberFormat.format(limit)}
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
    </Section>
  )
}

type PriceCardProps = {
  texts: PricingTexts["price"]
  drivers: number
  /** The same, formatted. */
  limit: string
  /** Undefined if the number of drivers cannot be ordered. */
  price: Price | undefined
}

function PriceCard({ texts, drivers, limit, price }: PriceCardProps) {
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
      <a
        href={price ? `/auth/register?drivers=${drivers}` : "/auth/register"}
        className={buttonStyles({})}
      >
        {texts.register}
      </a>
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

/** The text may name the contact address, which is a link. */
function LimitError({ text, most }: { text: string; most: string }) {
  const [before, after] = interpolate(text, { most }).split("{{address}}")
  return (
    <>
      {before}
      {after !== undefined && <ContactLink className="" />}
      {after}
    </>
  )
}
