import { Printer } from "lucide-react"
import { useEffect, useState } from "react"
import { usePublicLanguage } from "~/hooks/use-public-language"
import { brand } from "~/lib/brand"
import { formatCalendarDate } from "~/lib/dates"
import type { Language } from "~/lib/language"
import { type Operator, readOperator } from "~/lib/operator"
import { revealInLanguage } from "~/lib/pending-language"
import english from "~/locales/en/legal.json"
import englishShell from "~/locales/en/public.json"
import polish from "~/locales/pl/legal.json"
import polishShell from "~/locales/pl/public.json"
import { Alert } from "~/ui/alert"
import { buttonStyles } from "~/ui/button"
import { PublicShell } from "~/ui/public-shell"
import { linkStyles } from "~/ui/text-link"
import { LegalSection } from "./legal-section"
import {
  type LegalDocumentName,
  type LegalLibrary,
  type LegalText,
  publishedLibrary,
} from "./legal-text"

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
          <Alert className="mt-6" tone="caution" title={labels.outdated}>
            <a href={path} className={linkStyles}>
              {labels.showCurrent}
            </a>
          </Alert>
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

type VersionListProps = {
  path: string
  /** The current one first. */
  versions: string[]
  shown: string
  texts: typeof polish
}

/** The versions before the current one, each with its own address. */
function VersionList({ path, versions, shown, texts }: VersionListProps) {
  const [current, ...previous] = versions
  return (
    <section aria-labelledby="versions" className="mt-12 border-t border-line pt-6 print:hidden">
      <h2 id="versions" className="text-lg">
        {texts.previousVersions}
      </h2>
      {previous.length === 0 ? (
        <p className="mt-2 text-ink-soft">{texts.firstVersion}</p>
      ) : (
        <ul className="mt-2 flex flex-col gap-1">
          {[current ?? "", ...previous]
            .filter((version) => version !== shown)
            .map((version) => (
              <li key={version}>
                <a
                  href={version === current ? path : `${path}?version=${version}`}
                  className={linkStyles}
                >
                  {version === current ? texts.currentVersion : texts.version}{" "}
                  {formatCalendarDate(version)}
                </a>
              </li>
            ))}
        </ul>
      )}
    </section>
  )
}

type ShownText = { text: LegalText; language: Language }

/**
 * The text in the reader's language, in the version that the address asks for: during hydration
 * the current Polish one, as the build rendered it; it stays until another one has loaded.
 */
function useLegalText(
  name: LegalDocumentName,
  language: Language,
  { versions, prerendered, load }: LegalLibrary,
): ShownText {
  const current: ShownText = { text: prerendered[name], language: "pl" }
  const [shown, setShown] = useState(current)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the library never changes
  useEffect(() => {
    let isOutdated = false
    const asked = new URLSearchParams(window.location.search).get("version")
    const version = versions[name].find((one) => one === asked) ?? versions[name][0]
    if (!version || (language === "pl" && version === prerendered[name].version)) {
      setShown(current)
      return
    }
    load(name, language, version).then(
      (text) => {
        if (!isOutdated) setShown({ text, language })
      },
      () => {
        // Offline the text stays as it is; the switch tries again.
      },
    )
    return () => {
      isOutdated = true
    }
  }, [name, language])

  useEffect(() => revealInLanguage(shown.language), [shown.language])

  return shown
}
