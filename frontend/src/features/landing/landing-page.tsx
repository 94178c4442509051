import { Link } from "react-router"
import { usePublicLanguage } from "~/hooks/use-public-language"
import { brand } from "~/lib/brand"
import english from "~/locales/en/landing.json"
import polish from "~/locales/pl/landing.json"
import { PublicShell } from "~/ui/public-shell"
import { interpolate } from "./interpolate"
import { lowestNetPrice, Pricing } from "./pricing"

/** The landing page. `canonicalElsewhere`: shown at another path than `/`. */
export function LandingPage({ isFallback = false }: { isFallback?: boolean }) {
  const [language, setLanguage] = usePublicLanguage()
  const text = language === "en" ? english : polish

  return (
    <PublicShell language={language} onLanguageChange={setLanguage}>
      <title>{`${brand} – ${text.title}`}</title>
      <meta name="description" content={text.description} />
      {isFallback && <link rel="canonical" href="/" />}

      <h1 className="max-w-3xl text-3xl sm:text-figure">{text.title}</h1>
      <p className="mt-5 max-w-2xl text-lg text-ink-soft">{text.lead}</p>
      <div className="mt-8 flex flex-wrap items-center gap-4">
        <Link
          to="/auth/register"
          className="inline-flex min-h-12 items-center rounded-md bg-brand px-5 text-lg font-semibold text-on-brand hover:bg-brand-strong"
        >
          {text.register}
        </Link>
        <Link
          to="/auth/login"
          className="inline-flex min-h-12 items-center rounded-md border border-line-strong bg-surface px-5 text-lg font-semibold hover:bg-sunken"
        >
          {text.login}
        </Link>
      </div>
      <p className="mt-4 text-sm text-pretty text-ink-soft">
        {text.trial}{" "}
        <a href="#pricing" className="whitespace-nowrap underline underline-offset-3">
          {interpolate(text.pricing.teaser, { net: lowestNetPrice })}
        </a>
      </p>

      <ul className="mt-16 grid gap-8 border-t border-line pt-10 sm:grid-cols-3">
        {text.points.map((point) => (
          <li key={point.title}>
            <h2 className="text-lg">{point.title}</h2>
            <p className="mt-1.5 text-ink-soft">{point.text}</p>
          </li>
        ))}
      </ul>

      <Pricing texts={text.pricing} language={language} />
    </PublicShell>
  )
}
