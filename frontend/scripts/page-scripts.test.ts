import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { inlineScriptHashes, scriptsOf } from "./page-scripts"

const hash = (code: string) => `sha256-${createHash("sha256").update(code).digest("base64")}`

describe("the hashes of a page", () => {
  it("cover every inline script, modules too, byte for byte", () => {
    const html = `<script>a()</script><p>x</p><script type="module" async="">\n import "/b.js" </script>`
    expect(inlineScriptHashes(html)).toEqual([hash("a()"), hash('\n import "/b.js" ')])
  })

  it("leave out linked scripts and data", () => {
    const html = `<script src="/x.js"></script><script type="application/ld+json">{}</script>`
    expect(inlineScriptHashes(html)).toEqual([])
  })

  it("list a repeated script once", () => {
    expect(inlineScriptHashes("<script>a</script><script>a</script>")).toHaveLength(1)
  })
})

describe("the scripts of a page", () => {
  const manifest = {
    "entry.tsx": { file: "assets/entry.js", imports: ["_react.js"], dynamicImports: ["panel.tsx"] },
    "_react.js": { file: "assets/react.js" },
    "home.tsx": { file: "assets/home.js", imports: ["_react.js"] },
    "panel.tsx": { file: "assets/panel.js" },
  }

  it("are those in the page and their static imports, but no dynamic imports", () => {
    const html = `<link rel="modulepreload" href="/assets/entry.js"/><script>import "/assets/home.js"</script>`
    expect(scriptsOf(html, manifest)).toEqual([
      "assets/entry.js",
      "assets/home.js",
      "assets/react.js",
    ])
  })
})
