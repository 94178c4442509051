import "@fontsource-variable/atkinson-hyperlegible-next/wght.css"
import type { ReactNode } from "react"
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router"
import { OperatorData } from "~/ui/operator-data"
import type { Route } from "./+types/root"
import "./app.css"
import "./fonts/plain-zero.css"
import "./fonts/polish.css"
import { assetLinks, PageMetadata } from "./document-head"
import { ErrorPage } from "./error-page"
import { PageFrame } from "./page-frame"

export const links: Route.LinksFunction = () => [...assetLinks]

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="pl" suppressHydrationWarning>
      <head>
        <PageMetadata />
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
