/** Analyses the built pages: the hashes of their inline scripts and the size of the linked ones. */

import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"

const scripts = /<script\b([^>]*)>([\s\S]*?)<\/script>/g

/** The CSP sources (`sha256-…`) of a page's inline scripts, each once, in document order. */
export function inlineScriptHashes(html: string): string[] {
  const hashes = new Set<string>()
  for (const [, attributes = "", code = ""] of html.matchAll(scripts)) {
    if (/\bsrc=/.test(attributes) || /\btype="application\/(ld\+)?json"/.test(attributes)) continue
    hashes.add(`sha256-${createHash("sha256").update(code).digest("base64")}`)
  }
  return [...hashes]
}

/** The fields of an entry of Vite's manifest that are used here. */
export type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }

/** Every script file that loading `html` fetches: those it names and their static imports. */
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
