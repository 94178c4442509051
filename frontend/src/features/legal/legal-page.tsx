import { Printer } from "lucide-react"
import { useState } from "react"
import { usePublicLanguage } from "~/hooks/use-public-language"
import { brand } from "~/lib/brand"
import { formatCalendarDate } from "~/lib/dates"
import { type Operator, readOperator } from "~/lib/operator"
import english from "~/locales/en/legal.json"
import englishShell from "~/locales/en/public.json"
import polish from "~/locales/pl/legal.json"
import polishShell from "~/locales/pl/public.json"
import { Alert } from "~/ui/alert"
import { buttonStyles } from "~/ui/button"
import { PublicShell } from "~/ui/public-shell"
import { LegalSection } from "./legal-section"
import { type LegalDocumentName, type LegalLibrary, publishedLibrary } from "./legal-text"
import { linkClass } from "./link-class"
import { useLegalText } from "./use-legal-text"
import { VersionList } from "./version-list"

type LegalPageProps = { document: LegalDocumentName; library?: LegalLibrary }

/** The terms or the privacy policy: a table of contents, numbered sections and all versions. */
export function LegalPage({ document, library = publishedLibrary }: LegalPageProps) {
  const [language, setLanguage] = usePublicLanguage()
  const { text, language: textLanguage } = useLegalText(document, language, library)
  const [operator] = useState<Operator | null>(readOperator)
  const labels = textLanguage === "en" ? english : polish
  const versions = library.versions[document]
  const path = `/${document}`

  return (
    <PublicShell
      language={language}
      onLanguageChange={setLanguage}
      texts={language === "en" ? englishShell : polishShell}
    >
      <title>{`${text.title} – ${brand}`}</title>
      <meta name="description" content={labels.descriptions[document]} />
      <article data-legal-document lang={textLanguage} className="mx-auto max-w-2xl">
        <h1 className="text-3xl">{text.title}</h1>
        <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 text-ink-soft">
          <p>
            {labels.version} {formatCalendarDate(text.version)}
          </p>
          <button
            type="button"
            onClick={() => window.print()}
            className={`${buttonStyles({ variant: "secondary", size: "sm" })} print:hidden`}
          >
            <Printer aria-hidden className="size-4" />
            {labels.print}
          </button>
        </div>
        {text.version !== versions[0] && (
          <div className="mt-6">
            <Alert tone="caution" title={labels.outdated}>
              <a href={path} className={linkClass}>
                {labels.showCurrent}
              </a>
            </Alert>
          </div>
        )}
        <nav
          aria-label={labels.contents}
          className="mt-6 rounded-lg border border-line bg-surface p-5 print:hidden"
        >
          <ol className="list-decimal gap-x-8 pl-6 text-sm sm:columns-2">
            {text.sections.map((section, i) => (
              <li key={section.title} className="py-1 pl-1">
                <a href={`#s${i + 1}`} className="underline underline-offset-3 hover:text-brand">
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        {text.sections.map((section, i) => (
          <LegalSection
            key={section.title}
            number={i + 1}
            section={section}
            operator={operator}
            language={textLanguage}
          />
        ))}
        <VersionList path={path} versions={versions} shown={text.version} texts={labels} />
      </article>
    </PublicShell>
  )
}
