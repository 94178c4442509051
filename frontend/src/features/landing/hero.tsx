import { clsx } from "clsx"
import { buttonStyles } from "~/ui/button"
import { DashboardPicture } from "./dashboard-picture"
import { interpolatePrices } from "./prices"
import type { LandingTexts } from "./texts"

/** The head of the landing page: the product, the offer, and a picture of the dashboard. */
export function Hero({ texts }: { texts: LandingTexts }) {
  return (
    <div className="mx-auto max-w-6xl px-4 pt-10 pb-14 sm:px-8 sm:pt-16 lg:pb-20">
      <div className="grid items-center gap-x-12 gap-y-12 lg:grid-cols-2">
        <div>
          <h1 className="text-3xl sm:text-figure sm:leading-[1.06]">{texts.title}</h1>
          <p className="mt-6 max-w-xl text-lg text-pretty text-ink-soft">{texts.lead}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <a href="/auth/register" className={clsx(buttonStyles({}), "min-h-13 px-6 text-lg!")}>
              {texts.register}
            </a>
            <a
              href="/demo"
              className={clsx(buttonStyles({ variant: "secondary" }), "min-h-13 px-6 text-lg!")}
            >
              {texts.demo}
            </a>
          </div>
          <p className="mt-5 max-w-xl text-sm text-pretty text-ink-soft">
            {texts.trial}{" "}
            <a
              href="#pricing"
              className="font-semibold whitespace-nowrap text-brand underline underline-offset-3 hover:text-brand-strong"
            >
              {interpolatePrices(texts.pricing.teaser)}
            </a>
          </p>
        </div>
        <DashboardPicture texts={texts.picture} />
      </div>
      <dl className="mt-14 grid gap-x-10 gap-y-6 border-t border-line pt-8 sm:grid-cols-3 lg:mt-18">
        {texts.facts.map(({ figure, text }) => (
          <div key={figure} className="flex flex-col-reverse justify-end">
            <dt className="mt-1 text-pretty text-ink-soft">{text}</dt>
            <dd className="figures text-xl font-bold tracking-tight">{figure}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
