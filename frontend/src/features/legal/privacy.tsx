import { LegalPage } from "./legal-page"

export default function Privacy() {
  return <LegalPage document="privacy" />
}
