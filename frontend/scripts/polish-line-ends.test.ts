import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, vi } from "vitest"
import viteConfig from "../vite.config"
import { polishLineEnds, tieTexts } from "./polish-line-ends"

// They hook into Node, which no test can.
vi.mock("@react-router/dev/vite", () => ({ reactRouter: vi.fn() }))
vi.mock("@tailwindcss/vite", () => ({ default: vi.fn() }))

const sources = join(import.meta.dirname, "../src")
const files = globSync("{locales,legal-documents}/pl/*.json", { cwd: sources })

it("ties every text of a catalogue, except the specification's", () => {
  const catalogue = {
    title: "Kto i kiedy",
    faq: [{ question: "Kto i kiedy?", answer: "My, w nocy" }],
    sections: [{ text: ["My, w nocy"], number: 1 }],
    heading: "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI",
  }
  const tied = JSON.stringify(tieTexts(catalogue)).replaceAll("\u00a0", "~")
  expect(JSON.parse(tied)).toEqual({
    title: "Kto i~kiedy",
    faq: [{ question: "Kto i~kiedy?", answer: "My, w~nocy" }],
    sections: [{ text: ["My, w~nocy"], number: 1 }],
    heading: "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI",
  })
})

it.each(files)("builds %s with tied words from plain ones", (file) => {
  const code = readFileSync(join(sources, file), "utf8")
  expect(code).not.toMatch(/(^|[\s("„>])[aiouwz](\u00a0|\\u00a0)/iu)
  const { transform } = polishLineEnds()
  const built = (transform as (code: string, id: string) => { code: string } | null)(
    code,
    join(sources, file),
  )
  const stillPlain = texts(JSON.parse(built?.code ?? code)).filter((text) =>
    /(?<=^|[\s(„>])[aiouwz] \S/iu.test(text),
  )
  // the specification's: src/lib/specified-texts.test.ts
  expect(stillPlain.map(tieTexts)).toEqual(stillPlain)
})

it("is part of the build", () => {
  const { plugins = [] } = viteConfig as { plugins?: unknown[] }
  expect(plugins).toContainEqual(expect.objectContaining({ name: polishLineEnds().name }))
})

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value ? Object.values(value).flatMap(texts) : []
}
