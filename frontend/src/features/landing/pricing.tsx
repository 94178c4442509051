import { Check } from "lucide-react"
import { useId, useState } from "react"
import type polish from "~/locales/pl/landing.json"
import { contactEmail } from "~/shared/brand"
import type { Language } from "~/shared/language"
import { formatMoney, formatShortMoney } from "~/shared/money"
import {
  driverStep,
  leastDrivers,
  mostDrivers,
  type Price,
  periodPrice,
  rangeProblem,
  vatPercent,
} from "~/shared/price"
import { AmountRow } from "~/ui/amount-row"
import { ButtonLink } from "~/ui/button"
import { Card } from "~/ui/card"
import { Stepper } from "~/ui/stepper"
import { fill } from "./fill"

type Words = typeof polish.pricing

const first = periodPrice(leastDrivers).net
const further = periodPrice(leastDrivers + driverStep).net - first

/** What the smallest plan costs, as the texts say it. */
export const leastNet = formatShortMoney(first)

/** What 30 days cost for so many drivers, and what is had for it. */
export function Pricing({ words, language }: { words: Words; language: Language }) {
  const title = useId()
  const [limit, setLimit] = useState(leastDrivers)
  const problem = rangeProblem(limit)
  const drivers = new Intl.NumberFormat(language)

  return (
    <section id="pricing" aria-labelledby={title} className="mt-16 border-t border-line pt-14">
      <h2 id={title} className="max-w-2xl text-2xl sm:text-3xl">
        {fill(words.title, { net: leastNet })}
      </h2>
      <p className="mt-4 max-w-2xl text-pretty text-ink-soft">
        {fill(words.lead, {
          least: drivers.format(leastDrivers),
          net: leastNet,
          further: formatShortMoney(further),
        })}
      </p>
      <Card className="mt-8 grid overflow-hidden lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="p-6 sm:p-8">
          <Stepper
            label={words.limit.label}
            less={words.limit.less}
            more={words.limit.more}
            value={limit}
            onChange={setLimit}
            least={leastDrivers}
            most={mostDrivers}
            step={driverStep}
            error={
              problem &&
              fill(words.limit[problem], {
                most: drivers.format(mostDrivers),
                address: contactEmail,
              })
            }
            hint={words.limit.hint}
          />
        </div>
        <PriceTag
          words={words.price}
          limit={drivers.format(limit)}
          price={problem ? undefined : periodPrice(limit)}
        />
        <div className="p-6 sm:p-8 lg:pt-0">
          <h3 className="text-base">{words.included.title}</h3>
          <ul className="mt-3 flex flex-col gap-2.5">
            {words.included.points.map((point) => (
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

type PriceTagProps = {
  words: Words["price"]
  limit: string
  /** None for a number of drivers that nobody can order for. */
  price: Price | undefined
}

function PriceTag({ words, limit, price }: PriceTagProps) {
  const nothing = "–"
  return (
    <div className="flex flex-col gap-5 border-line bg-sunken p-6 max-lg:border-y sm:p-8 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:border-l">
      <dl className="figures flex flex-col gap-1.5">
        <div className="mb-3">
          <dt className="font-semibold">{fill(words.plan, { limit })}</dt>
          <dd className="mt-2 flex flex-wrap items-baseline gap-x-2.5">
            <span className="text-3xl font-bold tracking-tight whitespace-nowrap sm:text-figure">
              {price ? formatShortMoney(price.net) : nothing}
            </span>
            <span className="text-lg text-ink-soft">{words.net}</span>
          </dd>
        </div>
        <AmountRow name={fill(words.vat, { percent: String(vatPercent) })} ruled>
          {price ? formatMoney(price.vat) : nothing}
        </AmountRow>
        <AmountRow name={words.gross} total>
          {price ? formatMoney(price.gross) : nothing}
        </AmountRow>
      </dl>
      <ButtonLink to="/auth/register">{words.register}</ButtonLink>
      <p className="text-sm text-pretty text-ink-soft">{words.trial}</p>
      <p role="status" className="sr-only">
        {price &&
          fill(words.said, {
            limit,
            net: formatShortMoney(price.net),
            gross: formatMoney(price.gross),
          })}
      </p>
    </div>
  )
}
