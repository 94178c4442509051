/** Hydrates the landing page, without the router and all else that only the panel needs. */

import { hydrateRoot } from "react-dom/client"
import { LandingPage } from "~/features/landing/landing-page"
import { loadLandingTexts } from "~/features/landing/use-landing-texts"
import { pageContainer } from "./page-container"

const container = pageContainer()
const isEnglish = container.dataset.language === "en"

hydrateRoot(
  container,
  <LandingPage
    prerendered={await loadLandingTexts(isEnglish ? "en" : "pl")}
    fixedLanguage={isEnglish ? "en" : undefined}
  />,
)
