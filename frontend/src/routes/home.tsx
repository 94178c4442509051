import { PublicPage } from "~/app/public-page"
import { LandingPage } from "~/features/landing/landing-page"

export default function Home() {
  return (
    <PublicPage page="home">
      <LandingPage />
    </PublicPage>
  )
}
