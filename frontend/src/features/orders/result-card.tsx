import type { LucideIcon } from "lucide-react"
import type { ReactNode } from "react"
import type { Language } from "~/lib/language"
import { Card } from "~/ui/card"
import { PageHeading } from "~/ui/page-heading"

type ResultCardProps = {
  icon: LucideIcon
  iconClass: string
  title: string
  titleLang?: Language
  action: ReactNode
  children: ReactNode
}

/** The screen that reports the outcome of a payment. */
export function ResultCard({
  icon: Icon,
  iconClass,
  title,
  titleLang,
  action,
  children,
}: ResultCardProps) {
  return (
    <div className="mx-auto max-w-xl lg:pt-10">
      <Card className="flex flex-col items-start gap-5 p-6 sm:p-8">
        <Icon aria-hidden className={`size-12 ${iconClass}`} strokeWidth={1.5} />
        <PageHeading key={title} title={title} titleLang={titleLang} />
        <div role="status" className="flex flex-col gap-2">
          {children}
        </div>
        {action}
      </Card>
    </div>
  )
}
