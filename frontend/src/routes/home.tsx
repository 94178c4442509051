import { LandingPage } from "~/features/landing/landing-page"

export default function Home() {
  return <LandingPage />
}
