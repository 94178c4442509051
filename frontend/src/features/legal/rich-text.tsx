import { Fragment, type ReactNode } from "react"
import { brand } from "~/lib/brand"
import type { Language } from "~/lib/language"
import { type Operator, operatorDetail } from "~/lib/operator"
import { Unbroken } from "~/ui/unbroken"
import { linkClass } from "./link-class"

const tokens = /\{\{(\w+)\}\}|\[([^\]]+)\]\(([^)]+)\)/g

type RichTextProps = { text: string; operator: Operator | null; language: Language }

/** A text with `{{details}}` of the operator and `[links](/path)`. */
export function RichText({ text, operator, language }: RichTextProps) {
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
  return <span>{isMissing ? <mark>{text}</mark> : <Unbroken>{text}</Unbroken>}</span>
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  const isFile = href.startsWith("/api/")
  return (
    <a
      href={href}
      target={isFile ? "_blank" : undefined}
      rel={isFile ? "noopener" : undefined}
      className={linkClass}
    >
      {children}
    </a>
  )
}
