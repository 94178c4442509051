import { readFileSync } from "node:fs"
import { renderToReadableStream } from "react-dom/server"
import { type EntryContext, ServerRouter } from "react-router"
import { type PageAssets, renderPublicDocument } from "./public-document"
import { publicPages } from "./public-pages"

/**
 * Runs at build time only: renders the public pages, which are hydrated without the router, and the
 * empty page that serves the panel. In development the router serves all pages.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  headers.set("Content-Type", "text/html")
  const path = new URL(request.url).pathname.replace(/(?<=.)\/$/, "")
  const createPage = import.meta.env.PROD && !context.isSpaMode && publicPages[path]
  if (createPage) {
    const page = await createPage()
    const styles = context.manifest.routes.root?.css ?? []
    return new Response(renderPublicDocument(page, assetsOf(page.sources, styles)), { headers })
  }
  const page = await renderToReadableStream(<ServerRouter context={context} url={request.url} />)
  await page.allReady
  return new Response(page, { status, headers })
}

type Chunk = { file: string; imports?: string[] }

/** The URLs of the built source files and of everything that they import. */
function assetsOf([script, ...sources]: [string, ...string[]], styles: string[]): PageAssets {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync("build/client/.vite/manifest.json", "utf8"),
  )
  const files = new Set<string>()
  const add = (source: string) => {
    const chunk = manifest[source]
    if (!chunk) throw new Error(`the build has no ${source}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(add)
  }
  for (const source of [script, ...sources]) add(source)
  const [scriptFile = "", ...preloads] = [...files].map((file) => `/${file}`)
  return { script: scriptFile, preloads, styles }
}
