import "@fontsource-variable/atkinson-hyperlegible-next/wght.css"
import type { ReactNode } from "react"
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router"
import { brand } from "~/lib/brand"
import { OperatorData } from "~/ui/operator-data"
import type { Route } from "./+types/root"
import "./app.css"
import { assetLinks } from "./asset-links"
import { ErrorPage } from "./error-page"

export const links: Route.LinksFunction = () => [...assetLinks]

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="pl" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
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
  return (
    <div className="grid min-h-dvh place-items-center">
      <title>{brand}</title>
      <span
        aria-hidden
        data-spinner
        className="size-8 animate-late-turn rounded-full border-3 border-line border-t-brand"
      />
    </div>
  )
}

export function ErrorBoundary() {
  return <ErrorPage onRetry={() => window.location.reload()} />
}
