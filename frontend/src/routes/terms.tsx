import { PublicPage } from "~/app/public-page"
import { LegalPage } from "~/features/legal/legal-page"

export default function Terms() {
  return (
    <PublicPage page="legal">
      <LegalPage document="terms" />
    </PublicPage>
  )
}
