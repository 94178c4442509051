import {
  BellRing,
  CalendarCheck,
  CarFront,
  ChevronDown,
  LayoutList,
  RefreshCw,
  Scale,
  TrendingDown,
} from "lucide-react"
import { useId, useState } from "react"
import { buttonStyles } from "~/ui/button"
import { Card } from "~/ui/card"
import { Unbroken } from "~/ui/unbroken"
import { interpolatePrices } from "./prices"
import { Section } from "./section"
import type { LandingTexts } from "./texts"

const featureIcons = [CalendarCheck, LayoutList, BellRing, RefreshCw]

/** The four features of the product. */
export function FeatureList({ texts }: { texts: LandingTexts["features"] }) {
  return (
    <Section id="features" title={texts.title} lead={texts.lead}>
      <ul className="mt-12 grid gap-5 md:grid-cols-2">
        {texts.cards.map(({ title, text }, i) => {
          const Icon = featureIcons[i] ?? CalendarCheck
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

const reasonIcons = [CarFront, TrendingDown, Scale]

/** Why a company checks licences: liability, reputation, legal costs. */
export function Reasons({ texts }: { texts: LandingTexts["why"] }) {
  return (
    <Section title={texts.title} lead={texts.lead} onBand>
      <ul className="mt-12 grid gap-8 md:grid-cols-3 lg:gap-12">
        {texts.cards.map(({ title, text }, i) => {
          const Icon = reasonIcons[i] ?? Scale
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

/** Where the data comes from, by what right, and under which agreement. */
export function Sources({ texts }: { texts: LandingTexts["sources"] }) {
  return (
    <Section title={texts.title}>
      <ul className="mt-10 grid gap-8 md:grid-cols-3 lg:gap-12">
        {texts.cards.map(({ title, text, link, href }) => (
          <li key={title} className="border-t-3 border-brand pt-5">
            <h3 className="text-lg">{title}</h3>
            <p className="mt-2 text-pretty text-ink-soft">
              <Unbroken>{text}</Unbroken>
            </p>
            <a
              href={href}
              className="mt-2 inline-block py-1 font-semibold text-brand underline underline-offset-3"
            >
              {link}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type TestimonialsProps = { title: string; opinions: LandingTexts["opinions"] }

/** Opinions of customers; samples until operators replace locales/{pl,en}/testimonials.json. */
export function Testimonials({ title, opinions }: TestimonialsProps) {
  return (
    <Section
      id="testimonials"
      title={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {title}
          {opinions.notice && (
            <span className="rounded-full bg-caution-soft px-3 py-1 text-sm font-semibold tracking-normal text-caution-ink">
              {opinions.notice}
            </span>
          )}
        </span>
      }
    >
      <ul className="mt-10 grid gap-x-10 gap-y-10 md:grid-cols-3">
        {opinions.items.map(({ text, name, role }) => (
          <li key={name} className="flex">
            <figure className="flex flex-col border-l-3 border-brand pl-6">
              <blockquote className="text-pretty">{text}</blockquote>
              <figcaption className="mt-auto pt-5 text-sm">
                <span className="font-semibold">{name}</span>
                <span className="block text-ink-soft">{role}</span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The FAQ. The browser's own disclosure works before, and without, any script. */
export function Questions({ texts }: { texts: LandingTexts["faq"] }) {
  return (
    <Section
      id="faq"
      onBand
      isSplit
      title={texts.title}
      lead={
        <>
          {texts.lead}{" "}
          <a
            href="#contact"
            className="font-semibold whitespace-nowrap text-brand underline underline-offset-3"
          >
            {texts.write}
          </a>
        </>
      }
    >
      <div className="border-t border-line">
        {texts.questions.map(({ question, answer }) => (
          <details key={question} className="group border-b border-line">
            <summary className="flex min-h-14 list-none items-center justify-between gap-5 rounded-sm py-4 hover:text-brand-strong [&::-webkit-details-marker]:hidden">
              <h3 className="text-lg font-semibold">{question}</h3>
              <ChevronDown
                aria-hidden
                className="size-5 shrink-0 text-ink-soft transition-transform group-open:rotate-180"
              />
            </summary>
            <p className="max-w-3xl pb-6 text-pretty text-ink-soft">
              <Unbroken>{interpolatePrices(answer)}</Unbroken>
            </p>
          </details>
        ))}
      </div>
    </Section>
  )
}

/** A longer text for readers and search engines: all of it is in the HTML, most of it folded. */
export function About({ texts }: { texts: LandingTexts["about"] }) {
  const [isOpen, setIsOpen] = useState(false)
  const restId = useId()
  return (
    <Section title={texts.title} isSplit>
      <div>
        <div className="text-pretty text-ink-soft">
          <p>{texts.intro}</p>
          <div id={restId} hidden={!isOpen}>
            {texts.paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-4">
                {paragraph}
              </p>
            ))}
          </div>
        </div>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={restId}
          onClick={() => setIsOpen(!isOpen)}
          className={`mt-6 ${buttonStyles({ variant: "secondary" })}`}
        >
          {isOpen ? texts.less : texts.more}
        </button>
      </div>
    </Section>
  )
}
