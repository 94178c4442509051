/** Takes the generator's notes to itself out of what it generated: they are not ours to do. */

import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const api = join(import.meta.dirname, "../src/api")

for (const file of globSync("**/*.ts", { cwd: api })) {
  const path = join(api, file)
  const code = readFileSync(path, "utf8")
  writeFileSync(path, code.replaceAll(/^ *\/\/ (?:TO)DO:.*\n/gm, ""))
}
