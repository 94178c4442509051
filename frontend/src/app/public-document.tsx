import { renderToStaticMarkup, renderToString } from "react-dom/server"
import { pendingLanguageScript } from "~/lib/pending-language"
import { assetLinks, PageMetadata } from "./document-head"
import { pageContainerId } from "./page-container"
import type { PublicPage } from "./public-pages"

/** The URLs that a page loads. */
export type PageAssets = { script: string; preloads: string[]; styles: string[] }

/** The elements that React hoists into the head; without a head they precede the content. */
const hoisted = /^(?:<title>.*?<\/title>|<(?:meta|link)\b[^>]*>)+/s

/** The HTML document of a public page. */
export function renderPublicDocument(page: PublicPage, assets: PageAssets): string {
  // Rendered by itself, as it is hydrated: the ids of useId depend on the position in the tree.
  const html = renderToString(page.content)
  const head = hoisted.exec(html)?.[0] ?? ""
  const document = renderToStaticMarkup(
    <html lang={page.language}>
      <head>
        <PageMetadata />
        {assetLinks.map((link) => (
          <link key={link.href} {...link} />
        ))}
        {assets.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {assets.preloads.map((href) => (
          <link key={href} rel="modulepreload" href={href} fetchPriority="low" />
        ))}
        {page.head}
        {page.language === "pl" && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, and the CSP lists its hash
          <script dangerouslySetInnerHTML={{ __html: pendingLanguageScript }} />
        )}
        <script type="module" src={assets.script} />
      </head>
      <body>
        <div
          id={pageContainerId}
          data-page={page.name}
          data-language={page.language}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by React above
          dangerouslySetInnerHTML={{ __html: html.slice(head.length) }}
        />
      </body>
    </html>,
  )
  return `<!DOCTYPE html>${document.replace("</head>", () => `${head}</head>`)}`
}
