/** Hydrates the terms or the privacy policy, without the router. */

import { hydrateRoot } from "react-dom/client"
import { LegalPage } from "~/features/legal/legal-page"
import { pageContainer } from "./page-container"

const container = pageContainer()

hydrateRoot(
  container,
  <LegalPage document={container.dataset.page === "privacy" ? "privacy" : "terms"} />,
)
