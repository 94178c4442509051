/** Removes the generator's own to-do notes and advertisements from the generated client. */

import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const api = join(import.meta.dirname, "../src/api")
const noteToItself = /^ *\/\/ (?:TO)DO:.*\n/gm
const advert = /^ *\*(?: *\n *\*)? Install \{@link .*\n/gm

for (const file of globSync("**/*.ts", { cwd: api })) {
  const path = join(api, file)
  const code = readFileSync(path, "utf8")
  writeFileSync(path, code.replaceAll(noteToItself, "").replaceAll(advert, ""))
}
