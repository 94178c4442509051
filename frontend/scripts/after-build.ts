/**
 * Finishes a build: adds the script to the page of the panel that starts its requests early, writes
 * `csp.json` (page → hashes of its inline scripts, for the Content-Security-Policy header) and
 * `routes.json` for the server, encodes the assets with brotli and gzip, and fails when the landing page is incomplete
 * or exceeds its budget.
 */

import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { bootScript, type RouteManifest, sessionPaths } from "./boot-script.ts"
import { landingPageProblems } from "./page-checks.ts"
import { type Chunk, gzippedSize, inlineScriptHashes, scriptsOf } from "./page-scripts.ts"

/** The landing page's JavaScript, gzipped, in bytes. */
const budget = 95_000
const panelOnly = /query|toast|dialog|panel|hook-form|valibot|i18n|router|legal/i

const built = join(import.meta.dirname, "../build/client")
const read = (file: string) => readFileSync(join(built, file), "utf8")

const manifest: Record<string, Chunk> = JSON.parse(read(".vite/manifest.json"))

/** The address of a source file's script. */
function builtFile(source: string): string {
  const file = manifest[source]?.file
  if (!file) throw new Error(`the build has no ${source}`)
  return `/${file}`
}

const fallback = read("__spa-fallback.html")
const routes = read(globSync("assets/manifest-*.js", { cwd: built })[0] ?? "")
const routeManifest: RouteManifest = JSON.parse(routes.slice(routes.indexOf("{"), -1))
const loaded = [...fallback.matchAll(/\/assets\/[^"]+\.js/g)].map(([file]) => file)
// Before the style sheet, for which a script after it would wait.
const boot = `<script>${bootScript(routeManifest, loaded, {
  pl: builtFile("src/lib/polish-catalogue.ts"),
  en: builtFile("src/lib/english-catalogue.ts"),
})}</script>`
const booted = fallback.replace(/<meta charset[^>]*>/i, (meta) => meta + boot)
if (booted === fallback) throw new Error("the boot script found no place in the page")
writeFileSync(join(built, "__spa-fallback.html"), booted)

const pages = globSync("**/*.html", { cwd: built }).sort()
const hashes = Object.fromEntries(pages.map((page) => [page, inlineScriptHashes(read(page))]))
writeFileSync(join(built, "csp.json"), `${JSON.stringify(hashes, null, 2)}\n`)

// The paths of the screens, so that the server knows which addresses are none.
const paths = sessionPaths(routeManifest).map(([path]) => path)
writeFileSync(join(built, "routes.json"), JSON.stringify(paths.filter((path) => path !== "*")))

for (const page of pages) {
  if (/\sstyle="/.test(read(page)))
    throw new Error(`${page} carries a style attribute, which the CSP blocks`)
}

const catalogue = (language: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../src/locales/${language}/landing.json`), "utf8"),
  )
const landingPages = [
  { file: "index.html", path: "/", language: "pl" },
  { file: "en/index.html", path: "/en", language: "en" },
] as const
for (const { file, path, language } of landingPages) {
  const html = read(file)
  const problems = landingPageProblems(html, { path, language, texts: catalogue(language) })
  if (problems.length > 0) throw new Error(`${file} lacks something:\n${problems.join("\n")}`)

  const scripts = scriptsOf(html, manifest)
  const needless = scripts.filter((script) => panelOnly.test(script))
  if (needless.length > 0) throw new Error(`${file} loads ${needless.join(", ")}`)

  const size = scripts.reduce(
    (sum, script) => sum + gzippedSize(readFileSync(join(built, script))),
    0,
  )
  const report = `${file}: ${(size / 1000).toFixed(1)} kB of JavaScript in ${scripts.length} files`
  if (size > budget) throw new Error(`${report}, more than ${budget / 1000} kB`)
  console.log(report)
}

// The name under which browsers install the application is that of the screens.
const name = process.env.VITE_BRAND
if (name) {
  const webManifest = { ...JSON.parse(read("manifest.webmanifest")), name, short_name: name }
  writeFileSync(join(built, "manifest.webmanifest"), `${JSON.stringify(webManifest)}\n`)
}

const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
for (const file of globSync("assets/*.{js,css}", { cwd: built })) {
  const content = readFileSync(join(built, file))
  writeFileSync(join(built, `${file}.br`), brotliCompressSync(content, options))
  writeFileSync(join(built, `${file}.gz`), gzipSync(content, { level: 9 }))
}
