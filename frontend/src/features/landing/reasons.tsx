import { CarFront, Scale, TrendingDown } from "lucide-react"
import { Section } from "./section"
import type { LandingTexts } from "./texts"

const icons = [CarFront, TrendingDown, Scale]

/** Why a company checks licences: liability, reputation, legal costs. */
export function Reasons({ texts }: { texts: LandingTexts["why"] }) {
  return (
    <Section title={texts.title} lead={texts.lead} onBand>
      <ul className="mt-12 grid gap-8 md:grid-cols-3 lg:gap-12">
        {texts.cards.map(({ title, text }, i) => {
          const Icon = icons[i] ?? Scale
          return (
            <li key={title} className="border-t-3 border-withheld pt-5">
              <Icon aria-hidden className="size-7 text-withheld" strokeWidth={1.75} />
              <h3 className="mt-4 text-lg">{title}</h3>
              <p className="mt-2 text-pretty text-ink-soft">{text}</p>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
