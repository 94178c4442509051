import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import routes from "./routes"

const src = join(import.meta.dirname, "..")
const files = globSync("**/*.{ts,tsx}", { cwd: src })
  .filter((file) => !file.startsWith("api/") && !/\.test\.tsx?$/.test(file))
  .sort()

const importsOf = (file: string) =>
  [
    ...readFileSync(join(src, file), "utf8").matchAll(/from "([^"]+)"|import(?:\(| )"([^"]+)"/g),
  ].map(([, one, other]) => one ?? other ?? "")

/** What of `target` the files under `folder` import. */
const uses = (folder: string, target: RegExp) =>
  files
    .filter((file) => file.startsWith(`${folder}/`))
    .flatMap((file) => importsOf(file).map((name) => `${file} → ${name}`))
    .filter((line) => target.test(line))

describe("the folders", () => {
  it("let features know nothing of each other", () => {
    const strangers = files
      .filter((file) => file.startsWith("features/"))
      .flatMap((file) => {
        const own = file.split("/")[1]
        return importsOf(file)
          .map((name) => /^~\/features\/([^/]+)\//.exec(name)?.[1])
          .filter((feature) => feature !== undefined && feature !== own)
          .map((feature) => `${file} → ${feature}`)
      })
    expect(strangers).toEqual([])
  })

  it("depend downhill only: shared, ui, api → features → routes → app", () => {
    expect(uses("shared", /→ ~\/(features|routes|app)\//)).toEqual([])
    expect(uses("ui", /→ ~\/(features|routes|app)\//)).toEqual([])
    expect(uses("features", /→ ~\/(routes|app)\//)).toEqual([])
  })

  it("let only ui know the primitives", () => {
    for (const folder of ["app", "routes", "features", "shared"]) {
      expect(uses(folder, /→ (radix-ui|@radix-ui\/)/)).toEqual([])
    }
  })

  it("hold no barrel", () => {
    expect(files.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([])
  })

  it("keep modules small", () => {
    const long = files.filter(
      (file) => readFileSync(join(src, file), "utf8").split("\n").length > 260,
    )
    expect(long).toEqual([])
  })
})

describe("the list of paths", () => {
  it("has a file for every route", () => {
    const named = (list: typeof routes): string[] =>
      list.flatMap((one) => [one.file, ...named(one.children ?? [])])
    for (const file of named(routes))
      expect(() => readFileSync(join(src, "app", file))).not.toThrow()
  })
})
