import type { ReactElement, ReactNode } from "react"
import { LandingHead } from "~/features/landing/landing-head"
import { LandingPage } from "~/features/landing/landing-page"
import { loadLandingTexts } from "~/features/landing/use-landing-texts"
import { LegalPage } from "~/features/legal/legal-page"
import type { Language } from "~/lib/language"
import { OperatorData } from "~/ui/operator-data"
import { PageFrame } from "./page-frame"

/** A page that the build renders for visitors, to be hydrated by a script of its own. */
export type PublicPage = {
  name: "landing" | "terms" | "privacy" | "demo"
  language: Language
  /** The source files to load in the browser; the first is the script. */
  sources: [string, ...string[]]
  head?: ReactNode
  /** The elements that the script hydrates. */
  content: ReactElement
}

async function landingPage(language: Language): Promise<PublicPage> {
  const texts = await loadLandingTexts(language)
  const textsFile = language === "en" ? "english-texts.ts" : "polish-texts.ts"
  return {
    name: "landing",
    language,
    sources: ["src/app/landing-entry.tsx", `src/features/landing/${textsFile}`],
    head: <LandingHead texts={texts} />,
    content: (
      <LandingPage prerendered={texts} fixedLanguage={language === "en" ? "en" : undefined} />
    ),
  }
}

function legalPage(name: "terms" | "privacy"): PublicPage {
  return {
    name,
    language: "pl",
    sources: ["src/app/legal-entry.tsx"],
    head: <OperatorData />,
    content: <LegalPage document={name} />,
  }
}

/** Empty until its script draws the panel; no search engine lists it. */
function samplePage(): PublicPage {
  return {
    name: "demo",
    language: "pl",
    sources: ["src/app/sample-entry.tsx", "src/lib/polish-catalogue.ts"],
    head: <meta name="robots" content="noindex" />,
    content: <PageFrame />,
  }
}

/** The public pages by their paths. */
export const publicPages: Record<string, () => PublicPage | Promise<PublicPage>> = {
  "/": () => landingPage("pl"),
  "/en": () => landingPage("en"),
  "/terms": () => legalPage("terms"),
  "/privacy": () => legalPage("privacy"),
  "/demo": samplePage,
}
