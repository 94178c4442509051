import { type ComponentProps, lazy, Suspense } from "react"
import { Section } from "~/ui/section"

/** The script of a driver's panel, which the first sight of a page does without. */
export const loadDriverPanel = () => import("./driver-panel")

const LoadedPanel = lazy(async () => ({ default: (await loadDriverPanel()).DriverPanel }))

export function LazyDriverPanel(props: ComponentProps<typeof LoadedPanel>) {
  return (
    <Section>
      <Suspense>
        <LoadedPanel {...props} />
      </Suspense>
    </Section>
  )
}
