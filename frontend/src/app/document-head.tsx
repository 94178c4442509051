import { contactEmail } from "~/lib/brand"
import plainZero from "./fonts/plain-zero.woff2?url"
import polish from "./fonts/polish.woff2?url"
import polishLetters from "./fonts/polish-letters.woff2?url"

const font = { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous" } as const

/** The links of every page. */
export const assetLinks = [
  { ...font, href: polish },
  { ...font, href: polishLetters },
  { ...font, href: plainZero },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icons/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
] as const

/**
 * The metadata of every page. The colours of the browser's frame are --color-ground of tokens.css,
 * as in manifest.webmanifest.
 */
export function PageMetadata() {
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content="#f0f4f6" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#0c141a" media="(prefers-color-scheme: dark)" />
      <meta name="contact" content={contactEmail} />
    </>
  )
}
