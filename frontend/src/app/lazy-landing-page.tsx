import { type ComponentProps, lazy, Suspense } from "react"

const LoadedLandingPage = lazy(async () => ({
  default: (await import("~/features/landing/landing-page")).LandingPage,
}))

/** The landing page where it is the exception: users of the panel do not load it. */
export function LandingPage(props: ComponentProps<typeof LoadedLandingPage>) {
  return (
    <Suspense>
      <LoadedLandingPage {...props} />
    </Suspense>
  )
}
