import { PublicPage } from "~/app/public-page"
import { LegalPage } from "~/features/legal/legal-page"

export default function Privacy() {
  return (
    <PublicPage page="legal">
      <LegalPage document="privacy" />
    </PublicPage>
  )
}
