/** What the built pages carry: the hashes of their inline scripts, and the weight of the linked ones. */

import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"

const scripts = /<script\b([^>]*)>([\s\S]*?)<\/script>/g

/** The CSP source of every inline script of a page: `sha256-…`, each once, in order. */
export function inlineScriptHashes(html: string): string[] {
  const hashes = new Set<string>()
  for (const [, attributes = "", code = ""] of html.matchAll(scripts)) {
    if (/\bsrc=/.test(attributes) || /\btype="application\/(ld\+)?json"/.test(attributes)) continue
    hashes.add(`sha256-${createHash("sha256").update(code).digest("base64")}`)
  }
  return [...hashes]
}

/** One entry of Vite's manifest, as far as it matters here. */
export type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }

/** Every script file that loading `html` pulls in: those it names, and what they import at once. */
export function scriptsOf(html: string, manifest: Record<string, Chunk>): string[] {
  const byFile = new Map(Object.values(manifest).map((chunk) => [chunk.file, chunk]))
  const needed = new Set<string>()
  const add = (file: string) => {
    if (needed.has(file)) return
    needed.add(file)
    for (const key of byFile.get(file)?.imports ?? []) {
      const imported = manifest[key]
      if (imported) add(imported.file)
    }
  }
  for (const [, file = ""] of html.matchAll(/["'(]\/?(assets\/[^"'()\s]+\.js)["')]/g)) add(file)
  return [...needed].sort()
}

export function gzippedSize(code: Buffer | string): number {
  return gzipSync(code, { level: 9 }).length
}
