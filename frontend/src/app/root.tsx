import "@fontsource-variable/atkinson-hyperlegible-next/wght.css"
import type { ReactNode } from "react"
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router"
import { OperatorData } from "~/ui/operator-data"
import type { Route } from "./+types/root"
import "./app.css"
import "./fonts/polish.css"
import { assetLinks, ThemeColors } from "./asset-links"
import { ErrorPage } from "./error-page"
import { PageFrame } from "./page-frame"

export const links: Route.LinksFunction = () => [...assetLinks]

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="pl" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <ThemeColors />
        <Meta />
        <Links />
        <OperatorData />
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
