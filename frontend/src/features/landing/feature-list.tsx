import { BellRing, CalendarCheck, LayoutList, RefreshCw } from "lucide-react"
import { Card } from "~/ui/card"
import { Unbroken } from "~/ui/unbroken"
import { Section } from "./section"
import type { LandingTexts } from "./texts"

const icons = [CalendarCheck, LayoutList, BellRing, RefreshCw]

/** The four features of the product. */
export function FeatureList({ texts }: { texts: LandingTexts["features"] }) {
  return (
    <Section id="features" title={texts.title} lead={texts.lead}>
      <ul className="mt-12 grid gap-5 md:grid-cols-2">
        {texts.cards.map(({ title, text }, i) => {
          const Icon = icons[i] ?? CalendarCheck
          return (
            <li key={title} className="flex">
              <Card className="flex flex-1 gap-5 p-6 max-sm:flex-col sm:p-8">
                <span className="grid size-12 shrink-0 place-items-center rounded-md bg-brand-soft text-brand">
                  <Icon aria-hidden className="size-6" />
                </span>
                <div>
                  <h3 className="text-lg">
                    <Unbroken>{title}</Unbroken>
                  </h3>
                  <p className="mt-2 text-pretty text-ink-soft">
                    <Unbroken>{text}</Unbroken>
                  </p>
                </div>
              </Card>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
