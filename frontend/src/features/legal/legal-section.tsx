import type { Language } from "~/lib/language"
import type { Operator } from "~/lib/operator"
import type { LegalText } from "./legal-text"
import { RichText } from "./rich-text"

type LegalSectionProps = {
  number: number
  section: LegalText["sections"][number]
  operator: Operator | null
  language: Language
}

/** A numbered section (`#s3`) of numbered paragraphs (`#s3-2`). */
export function LegalSection({ number, section, operator, language }: LegalSectionProps) {
  return (
    <section id={`s${number}`} className="mt-10">
      <h2 className="text-lg break-after-avoid">
        {number}. {section.title}
      </h2>
      <ol className="mt-3 flex flex-col gap-3">
        {groupParagraphs(section.text).map(({ lead, items }, i) => (
          <li key={lead} id={`s${number}-${i + 1}`} className="flex gap-3">
            <span className="figures w-9 shrink-0 text-ink-soft">
              {number}.{i + 1}.
            </span>
            <div className="min-w-0">
              <p>
                <RichText text={lead} operator={operator} language={language} />
              </p>
              {items.length > 0 && (
                <ol className="mt-2 flex list-[lower-alpha] flex-col gap-1.5 pl-5 marker:text-ink-soft">
                  {items.map((item) => (
                    <li key={item} className="pl-1">
                      <RichText text={item} operator={operator} language={language} />
                    </li>
                  ))}
                </ol>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

type Paragraph = { lead: string; items: string[] }

function groupParagraphs(text: (string | string[])[]): Paragraph[] {
  const paragraphs: Paragraph[] = []
  for (const part of text) {
    if (typeof part === "string") paragraphs.push({ lead: part, items: [] })
    else paragraphs.at(-1)?.items.push(...part)
  }
  return paragraphs
}
