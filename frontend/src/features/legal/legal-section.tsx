import { Fragment, type ReactNode } from "react"
import { brand } from "~/lib/brand"
import type { Language } from "~/lib/language"
import { type Operator, operatorDetail } from "~/lib/operator"
import { linkStyles } from "~/ui/text-link"
import { Unbroken, unbrokenParts } from "~/ui/unbroken"
import type { LegalText } from "./legal-text"

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

const tokens = /\{\{(\w+)\}\}|\[([^\]]+)\]\(([^)]+)\)/g

type RichTextProps = { text: string; operator: Operator | null; language: Language }

/** A text with `{{details}}` of the operator and `[links](/path)`. */
function RichText({ text, operator, language }: RichTextProps) {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(tokens)) {
    const [token, name, label, href = ""] = match
    parts.push(<Unbroken>{text.slice(end, match.index)}</Unbroken>)
    end = match.index + token.length
    if (name === "brand") parts.push(brand)
    else if (name) parts.push(<Detail name={name} operator={operator} language={language} />)
    else parts.push(<TextLink href={href}>{label}</TextLink>)
  }
  parts.push(<Unbroken>{text.slice(end)}</Unbroken>)
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
  return parts.map((part, i) => <Fragment key={i}>{part}</Fragment>)
}

type DetailProps = { name: string; operator: Operator | null; language: Language }

/** Inside an element of its own: the server replaces the whole content, with the same elements. */
function Detail({ name, operator, language }: DetailProps) {
  const { text, isMissing } = operatorDetail(operator, name, language)
  return <span>{isMissing ? <mark>{text}</mark> : unbrokenParts(text)}</span>
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  const isFile = href.startsWith("/api/")
  return (
    <a
      href={href}
      target={isFile ? "_blank" : undefined}
      rel={isFile ? "noopener" : undefined}
      className={linkStyles}
    >
      {children}
    </a>
  )
}
