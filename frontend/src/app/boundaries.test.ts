import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import routes from "./routes"

const src = join(import.meta.dirname, "..")
const files = globSync("**/*.{ts,tsx}", { cwd: src })
  .filter((file) => !file.startsWith("api/") && !/\.test\.tsx?$/.test(file))
  .sort()

const importsOf = (file: string) =>
  [
    ...readFileSync(join(src, file), "utf8").matchAll(/from "([^"]+)"|import(?:\(| )"([^"]+)"/g),
  ].map(([, from, direct]) => from ?? direct ?? "")

/** The imports of files under `folder` that match `target`, as "file → import". */
const importsMatching = (folder: string, target: RegExp) =>
  files
    .filter((file) => file.startsWith(`${folder}/`))
    .flatMap((file) => importsOf(file).map((name) => `${file} → ${name}`))
    .filter((line) => target.test(line))

/** Bottom first: a layer imports itself and the layers before it. */
const layers = ["api", "lib", "hooks", "ui", "entities", "features", "routes", "app"]

describe("the folders", () => {
  it("are the layers, the catalogues and the test support, and nothing else", () => {
    const folders = new Set(files.map((file) => file.split("/")[0]))
    expect([...folders].sort()).toEqual([...layers.slice(1), "testing"].sort())
  })

  it.each(layers.slice(1).map((layer, below) => [layer, layers.slice(below + 2)] as const))(
    "depend downwards only: %s imports none of %j",
    (layer, above) => {
      if (above.length === 0) return
      const higher = new RegExp(`→ ~/(${above.join("|")})/`)
      expect(importsMatching(layer, higher)).toEqual([])
    },
  )

  it.each(["features", "entities"])("keep the folders of %s independent of each other", (layer) => {
    const crossings = files
      .filter((file) => file.startsWith(`${layer}/`))
      .flatMap((file) => {
        const own = file.split("/")[1]
        return importsOf(file)
          .map((name) => new RegExp(`^~/${layer}/([^/]+)/`).exec(name)?.[1])
          .filter((folder) => folder !== undefined && folder !== own)
          .map((folder) => `${file} → ${folder}`)
      })
    expect(crossings).toEqual([])
  })

  it("are reached by their layer's name, never by a path upwards", () => {
    const upwards = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith("../") && file !== "app/routes.ts")
        .map((name) => `${file} → ${name}`),
    )
    expect(upwards).toEqual([])
  })

  it("leave the primitives of Radix to ui", () => {
    for (const folder of layers.filter((layer) => layer !== "ui")) {
      expect(importsMatching(folder, /→ (radix-ui|@radix-ui\/)/)).toEqual([])
    }
  })

  it("have no barrel files", () => {
    expect(files.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([])
  })

  it("have no circles of imports, not even of types", () => {
    const moduleOf = (file: string, name: string) => {
      const base = name.startsWith("~/") ? name.slice(2) : join(dirname(file), name)
      return [base, `${base}.ts`, `${base}.tsx`].find((one) => files.includes(one))
    }
    const imports = new Map(
      files.map((file) => [
        file,
        importsOf(file).flatMap((name) => (/^[.~]/.test(name) ? (moduleOf(file, name) ?? []) : [])),
      ]),
    )
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, path: string[]) => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "))
      if (done.has(file) || path.includes(file)) return
      for (const next of imports.get(file) ?? []) visit(next, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(circles).toEqual([])
  })

  it("keep modules small", () => {
    const oversized = files.filter(
      (file) => readFileSync(join(src, file), "utf8").split("\n").length > 260,
    )
    expect(oversized).toEqual([])
  })
})

describe("the route configuration", () => {
  it("has a file for every route", () => {
    const routeFiles = (list: typeof routes): string[] =>
      list.flatMap((one) => [one.file, ...routeFiles(one.children ?? [])])
    for (const file of routeFiles(routes))
      expect(() => readFileSync(join(src, "app", file))).not.toThrow()
  })
})
