import { useId, useState } from "react"
import { buttonStyles } from "~/ui/button"
import { Section } from "./section"
import type { LandingTexts } from "./texts"

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
