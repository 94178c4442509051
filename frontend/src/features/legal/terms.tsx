import { LegalPage } from "./legal-page"

export default function Terms() {
  return <LegalPage document="terms" />
}
