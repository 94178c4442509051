import { expect, it } from "vitest"
import { writeCsv } from "./csv"

it.each([
  ["Łoś", "Łoś"],
  ['a"b', '"a""b"'],
  ["a;b", '"a;b"'],
  ["=1+1", "'=1+1"],
  [" '@x", "' '@x"],
  ["\uff1dx", "'\uff1dx"],
  ["a|=1", "a|'=1"],
  ["a; -1", '"a; \'-1"'],
])("a cell with %j is %j", async (text, cell) => {
  const bytes = new Uint8Array(await writeCsv([[text, "x"]]).arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(new TextDecoder().decode(bytes)).toBe(`${cell};x\r\n`)
})
