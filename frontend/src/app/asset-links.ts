import latinExt from "@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-wght-normal.woff2?url"
import latin from "@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2?url"

const font = { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous" } as const

/** The links of every page. */
export const assetLinks = [
  { ...font, href: latin },
  { ...font, href: latinExt },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
] as const
