import { lazy } from "react"

/** The landing page where it is the exception: users of the panel do not load it. */
export const LandingPage = lazy(async () => ({
  default: (await import("~/features/landing/landing-page")).LandingPage,
}))
