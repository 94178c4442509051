import { brand, siteUrlPlaceholder } from "~/lib/brand"
import { landingPaths } from "~/ui/public-shell"
import { structuredData } from "./structured-data"
import type { LandingTexts } from "./texts"

const locales = { pl: "pl_PL", en: "en_GB" } as const

/** The landing page's tags for search engines and social networks; rendered by the build only. */
export function LandingHead({ texts }: { texts: LandingTexts }) {
  const { language } = texts
  const urls = { pl: absoluteUrl(landingPaths.pl), en: absoluteUrl(landingPaths.en) }
  const picture = absoluteUrl(`/og-${language}.png`)
  const openGraph = {
    "og:type": "website",
    "og:site_name": brand,
    "og:title": texts.title,
    "og:description": texts.description,
    "og:url": urls[language],
    "og:locale": locales[language],
    "og:locale:alternate": locales[language === "pl" ? "en" : "pl"],
    "og:image": picture,
    "og:image:type": "image/png",
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": texts.picture.description,
  }
  return (
    <>
      <link rel="canonical" href={urls[language]} />
      <link rel="alternate" hrefLang="pl" href={urls.pl} />
      <link rel="alternate" hrefLang="en" href={urls.en} />
      <link rel="alternate" hrefLang="x-default" href={urls.pl} />
      {Object.entries(openGraph).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
      <script
        type="application/ld+json"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON, in which "<" is escaped
        dangerouslySetInnerHTML={{
          __html: JSON.stringify(structuredData(texts, urls[language])).replaceAll("<", "\\u003c"),
        }}
      />
    </>
  )
}

function absoluteUrl(path: string): string {
  return siteUrlPlaceholder + path
}
