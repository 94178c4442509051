import "@fontsource-variable/atkinson-hyperlegible-next/wght.css"
import type { ReactNode } from "react"
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router"
import { hideLandingPageScript } from "~/lib/signed-in-hint"
import type { Route } from "./+types/root"
import "./app.css"
import "./fonts/polish.css"
import { ErrorPage } from "./error-page"
import polish from "./fonts/polish.woff2?url"
import polishLetters from "./fonts/polish-letters.woff2?url"
import { PageFrame } from "./page-frame"

const font = { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous" } as const

export const links: Route.LinksFunction = () => [
  { ...font, href: polish },
  { ...font, href: polishLetters },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icons/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
]

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="pl" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {/* --color-ground of tokens.css, also in manifest.webmanifest */}
        <meta name="theme-color" content="#f0f4f6" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0c141a" media="(prefers-color-scheme: dark)" />
        <Meta />
        <Links />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, and the CSP lists its hash */}
        <script dangerouslySetInnerHTML={{ __html: hideLandingPageScript }} />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

/** Content of the SPA fallback file until the scripts have loaded. */
export function HydrateFallback() {
  return <PageFrame />
}

export function ErrorBoundary() {
  return <ErrorPage onRetry={() => window.location.reload()} />
}
