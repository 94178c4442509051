import { usePublicLanguage } from "~/hooks/use-public-language"
import { brand } from "~/lib/brand"
import english from "~/locales/en/legal.json"
import englishShell from "~/locales/en/public.json"
import polish from "~/locales/pl/legal.json"
import polishShell from "~/locales/pl/public.json"
import { PublicShell } from "~/ui/public-shell"

/** The terms or the privacy policy: a table of contents and numbered sections. */
export function LegalPage({ document }: { document: "terms" | "privacy" }) {
  const [language, setLanguage] = usePublicLanguage()
  const catalogue = language === "en" ? english : polish
  const { title, sections } = catalogue[document]

  return (
    <PublicShell
      language={language}
      onLanguageChange={setLanguage}
      texts={language === "en" ? englishShell : polishShell}
    >
      <title>{`${title} – ${brand}`}</title>
      <article className="mx-auto max-w-2xl">
        <h1 className="text-3xl">{title}</h1>
        <nav
          aria-label={catalogue.contents}
          className="mt-6 rounded-lg border border-line bg-surface p-5"
        >
          <ol className="list-decimal gap-x-8 pl-5 text-sm sm:columns-2">
            {sections.map((section, i) => (
              <li key={section.title} className="py-1">
                <a href={`#s${i + 1}`} className="underline underline-offset-3 hover:text-brand">
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        {sections.map((section, i) => (
          <section key={section.title} id={`s${i + 1}`} className="mt-10">
            <h2 className="text-lg">
              {i + 1}. {section.title}
            </h2>
            {section.text.map((paragraph) => (
              <p key={paragraph} className="mt-2 text-ink-soft">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </article>
    </PublicShell>
  )
}
