import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const read = (path: string) => readFileSync(join(import.meta.dirname, "../../public", path))
const manifest = JSON.parse(read("manifest.webmanifest").toString())

type Icon = { src: string; sizes: string; type: string; purpose?: string }
const icons: Icon[] = manifest.icons
const images = icons.filter(({ type }) => type === "image/png")

describe("the web manifest", () => {
  it("opens the panel, in a window of its own, and covers the whole site", () => {
    expect(manifest).toMatchObject({ start_url: "/panel", scope: "/", display: "standalone" })
  })

  it("has an ordinary and a maskable icon of both sizes that browsers ask for", () => {
    expect(images.map(({ sizes, purpose = "any" }) => `${sizes} ${purpose}`).sort()).toEqual([
      "192x192 any",
      "192x192 maskable",
      "512x512 any",
      "512x512 maskable",
    ])
  })

  it.each(images)("names the size of $src", ({ src, sizes }) => {
    const header = read(src)
    expect(header.subarray(1, 4).toString()).toBe("PNG")
    expect(`${header.readUInt32BE(16)}x${header.readUInt32BE(20)}`).toBe(sizes)
  })

  it("has the colour that the page has", () => {
    const root = readFileSync(join(import.meta.dirname, "document-head.tsx"), "utf8")
    expect(root).toContain(
      `content="${manifest.theme_color}" media="(prefers-color-scheme: light)"`,
    )
  })
})
