import { useEffect, useState } from "react"
import { usePublicLanguage } from "~/hooks/use-public-language"
import { brand } from "~/lib/brand"
import type { Language } from "~/lib/language"
import { revealInLanguage } from "~/lib/pending-language"
import { PublicShell } from "~/ui/public-shell"
import { Contact } from "./contact-form"
import { Hero } from "./hero"
import { About, FeatureList, Questions, Reasons, Sources, Testimonials } from "./landing-sections"
import { Pricing } from "./pricing"
import type { LandingTexts } from "./texts"
import { useLandingTexts } from "./use-landing-texts"

type LandingPageProps = {
  /** The texts that the build rendered; without them the page is empty until they are loaded. */
  prerendered?: LandingTexts
  /** The language of a page that does not follow the visitor's. */
  fixedLanguage?: Language
  /** Shown at another path than its own. */
  isFallback?: boolean
}

export function LandingPage({ prerendered, fixedLanguage, isFallback = false }: LandingPageProps) {
  const [language, setLanguage] = usePublicLanguage(fixedLanguage)
  const texts = useLandingTexts(language, prerendered)
  const [isThankful, setIsThankful] = useState(false)
  const [isMissing, setIsMissing] = useState(false)

  // The server shows this page at addresses that it does not know.
  useEffect(() => {
    const [page] = performance.getEntriesByType?.("navigation") ?? []
    setIsMissing((page as PerformanceNavigationTiming | undefined)?.responseStatus === 404)
  }, [])

  // While the other language is loaded, the page is still in the previous one.
  useEffect(() => {
    if (!texts) return
    document.documentElement.lang = texts.language
    revealInLanguage(texts.language)
  })

  if (!texts) return null

  return (
    <PublicShell
      language={texts.language}
      onLanguageChange={setLanguage}
      texts={texts.shell}
      isLanding
    >
      <title>{`${brand} – ${texts.title}`}</title>
      <meta name="description" content={texts.description} />
      {isFallback && <link rel="canonical" href="/" />}

      {isMissing && (
        <p
          role="status"
          className="bg-caution-soft px-4 py-3 text-center font-semibold text-caution-ink"
        >
          {texts.missing}
        </p>
      )}
      {isThankful && (
        <p className="bg-valid-soft px-4 py-3 text-center font-semibold text-valid-ink">
          {texts.contact.thanks}
        </p>
      )}
      <Hero texts={texts} />
      <Reasons texts={texts.why} />
      <FeatureList texts={texts.features} />
      <Sources texts={texts.sources} />
      <Pricing texts={texts.pricing} language={texts.language} />
      <Testimonials title={texts.testimonials.title} opinions={texts.opinions} />
      <Questions texts={texts.faq} />
      <About texts={texts.about} />
      <Contact texts={texts.contact} language={texts.language} onSent={() => setIsThankful(true)} />
    </PublicShell>
  )
}
