import { ChevronDown } from "lucide-react"
import { Unbroken } from "~/ui/unbroken"
import { interpolatePrices } from "./prices"
import { Section } from "./section"
import type { LandingTexts } from "./texts"

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
